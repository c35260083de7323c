// What a file that is no text is, told by its first bytes, and what to look at it with.

/** Bytes as Latin-1 at `at`, what they mean, and how to go on. From the formats' own descriptions and file(1). */
const KINDS: readonly { at?: number; magic: RegExp; is: string; hint?: string }[] = [
  { magic: /^\x7fELF/, is: 'a program or library (ELF)', hint: 'file, nm or objdump' },
  { magic: /^(\xfe\xed\xfa[\xce\xcf]|[\xce\xcf]\xfa\xed\xfe)/, is: 'a program or library (Mach-O)', hint: 'file, nm or otool' },
  { magic: /^\xca\xfe\xba\xbe/, is: 'a Java class or a universal Mach-O program', hint: 'javap -c or file' },
  { magic: /^MZ/, is: 'a Windows program or library' },
  { magic: /^\0asm/, is: 'a WebAssembly module', hint: 'wasm-objdump' },
  { magic: /^PK(\x03\x04|\x05\x06|\x07\x08)/, is: 'a ZIP archive (also: Office documents, JAR, APK, wheels)', hint: 'unzip -l, and unzip -p for one file in it' },
  { magic: /^\x1f\x8b/, is: 'gzip-compressed data', hint: 'tar -tzf or gzip -dc' },
  { magic: /^BZh/, is: 'bzip2-compressed data', hint: 'tar -tjf or bzip2 -dc' },
  { magic: /^\xfd7zXZ\0/, is: 'xz-compressed data', hint: 'tar -tJf or xz -dc' },
  { magic: /^\x28\xb5\x2f\xfd/, is: 'zstd-compressed data', hint: 'zstd -dc' },
  { magic: /^7z\xbc\xaf\x27\x1c/, is: 'a 7z archive', hint: '7z l' },
  { magic: /^Rar!\x1a\x07/, is: 'a RAR archive', hint: 'unrar l' },
  { at: 257, magic: /^ustar/, is: 'a tar archive', hint: 'tar -tf' },
  { magic: /^SQLite format 3\0/, is: 'an SQLite database', hint: 'sqlite3 FILE .schema' },
  { magic: /^PAR1/, is: 'a Parquet file', hint: 'python with pandas or duckdb' },
  { magic: /^\x89HDF\r\n/, is: 'an HDF5 file', hint: 'h5dump' },
  { magic: /^\x93NUMPY/, is: 'a NumPy array', hint: 'python with numpy' },
  { magic: /^\xd0\xcf\x11\xe0/, is: 'an old Office document' },
  { magic: /^(OTTO|true|\0\x01\0\0|wOFF|wOF2|ttcf)/, is: 'a font' },
  { magic: /^(II\*\0|MM\0\*)/, is: 'a TIFF image', hint: 'convert it to PNG first' },
  { magic: /^BM[\s\S]{4}\0\0\0\0/, is: 'a BMP image', hint: 'convert it to PNG first' },
  { magic: /^\0\0[\x01\x02]\0/, is: 'an icon', hint: 'convert it to PNG first' },
  { at: 4, magic: /^ftyp(avi|hei|mif|hev)/, is: 'an AVIF or HEIC image', hint: 'convert it to PNG first' },
  { at: 4, magic: /^ftyp/, is: 'an MP4 or QuickTime film', hint: 'ffprobe' },
  { magic: /^\x1a\x45\xdf\xa3/, is: 'a Matroska or WebM film', hint: 'ffprobe' },
  { magic: /^RIFF[\s\S]{4}(WAVE|AVI )/, is: 'a sound or film (RIFF)', hint: 'ffprobe' },
  { magic: /^(ID3|\xff[\xfb\xf3\xf2])/, is: 'an MP3 sound', hint: 'ffprobe' },
  { magic: /^(OggS|fLaC)/, is: 'a sound (Ogg or FLAC)', hint: 'ffprobe' },
];

/** The end of a sentence about a binary file: what it is, and with which programs to look at it. */
export function describeBinary(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 300)).toString('latin1');
  const kind = KINDS.find(({ at = 0, magic }) => magic.test(start.slice(at)));
  return `is ${kind?.is ?? 'a binary file'}, so it can't be read as lines. Look at it with a program through Bash${kind?.hint === undefined ? '' : `: ${kind.hint}`}`;
}
