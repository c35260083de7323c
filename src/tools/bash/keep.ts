// Keeps the output of a command: whole while it is short, else a preview in memory and all of it in a file.
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { createTrimmer, PREVIEW } from '../../lib/preview.ts';
import { sentenceOf } from '../../types/user-error.ts';

/** The most of one output that is kept on disk, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** `spill` is the file that holds what `text` leaves out. */
export type KeptOutput = { text: string; spill?: string };

export type OutputKeeper = {
  add(text: string): void;
  /** What there is so far. */
  read(): KeptOutput;
  close(): void;
};

/** Up to `limit` UTF-16 units stay as they are; more goes to `file`, where there is one, and `read` gives a preview. */
export function keepOutput({ file, limit, mask }: { file: string | null; limit: number; mask(text: string): string }): OutputKeeper {
  const trimmer = createTrimmer(limit);
  let sink: OutputFile | undefined;
  return {
    add(text) {
      if (file !== null && !sink && trimmer.size + text.length > limit) {
        sink = openOutputFile(file, mask);
        sink.write(trimmer.whole() ?? '');
      }
      sink?.write(text);
      trimmer.add(text);
    },
    read() {
      const whole = trimmer.whole();
      if (whole !== undefined) return { text: whole };
      if (sink && sink.problem === undefined) return { text: withNote(trimmer.preview(), sink.note), spill: sink.path };
      // Nothing else is left of it: as much as a result may hold.
      const room = limit - 8_000;
      const why = sink?.problem === undefined ? 'Nothing is kept on disk in this session' : `It could not be kept on disk (${sink.problem})`;
      return { text: withNote(trimmer.preview({ head: Math.floor(room / 2), tail: Math.floor(room / 2), errors: PREVIEW.errors }), `[${why}, so what is left out is lost.]`) };
    },
    close: () => sink?.close(),
  };
}

const withNote = (text: string, note: string | undefined): string => (note === undefined ? text : `${text.trimEnd()}\n${note}`);

export type OutputFile = {
  write(text: string): void;
  close(): void;
  /** Where it is: as asked for, or with a number where that was taken. */
  readonly path: string;
  /** Why there is no file; what was written of it is gone. */
  readonly problem: string | undefined;
  /** A line that says how much the file does not hold. */
  readonly note: string | undefined;
};

/** A new file that only the user may read; what is there already is left alone. Written at once: what a command says faster than the disk takes it must not pile up in memory. */
export function openOutputFile(wanted: string, mask: (text: string) => string): OutputFile {
  let path = wanted;
  let descriptor: number | undefined;
  let problem: string | undefined;
  let bytes = 0;
  let dropped = 0;

  const attempt = (work: () => void) => {
    try {
      work();
    } catch (error) {
      problem = sentenceOf(error);
      if (close()) rmSync(path, { force: true });
    }
  };
  /** False when there was nothing to close. */
  const close = (): boolean => {
    if (descriptor === undefined) return false;
    closeSync(descriptor);
    descriptor = undefined;
    return true;
  };

  attempt(() => {
    mkdirSync(dirname(wanted), { recursive: true, mode: 0o700 });
    // A command that is run again has a result already.
    for (let nth = 2; existsSync(path); nth += 1) path = wanted.replace(/(\.\w+)?$/, `-${nth}$1`);
    descriptor = openSync(path, 'wx', 0o600);
  });
  return {
    write(text) {
      const piece = dropped === 0 ? mask(text) : text;
      const length = Buffer.byteLength(piece);
      const fits = bytes + length <= MOST_BYTES && dropped === 0;
      if (!fits) dropped += length;
      if (!fits || descriptor === undefined) return;
      bytes += length;
      const to = descriptor;
      attempt(() => {
        // A full disk shows as a short count first, then as an error. Bytes are only made for what is left then: copies of all would fill the memory.
        for (let at = writeSync(to, piece); at < length;) at += writeSync(to, Buffer.from(piece), at);
      });
    },
    close() { close(); },
    get path() { return path; },
    get problem() { return problem; },
    get note() { return dropped === 0 ? undefined : `[The file holds the first ${Math.round(bytes / 1024 / 1024)} MB; ${dropped.toLocaleString('en')} bytes that came later were dropped.]`; },
  };
}
