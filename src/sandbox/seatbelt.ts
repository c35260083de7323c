// The same for macOS: command line of sandbox-exec with a profile in its own language (SBPL; the last rule that matches counts). Pure.
import { foldersAbove, isInside, type Profile } from './profile.ts';

/** Devices that any program may write. */
const DEVICES = ['/dev/null', '/dev/zero', '/dev/tty', '/dev/dtracehelper', '/dev/stdout', '/dev/stderr'];

/** Puts `sandbox-exec` around `argv`. */
export function seatbelt(argv: readonly string[], profile: Profile): string[] {
  const variables = Object.entries(profile.env).map(([name, value]) => `${name}=${value}`);
  return ['/usr/bin/sandbox-exec', '-p', seatbeltProfile(profile), ...(variables.length > 0 ? ['/usr/bin/env', ...variables] : []), ...argv];
}

/** The profile's text. Written from the language's public uses, not yet tried on a Mac: a profile that the system refuses makes the probe fail. */
export function seatbeltProfile(profile: Profile): string {
  const { writable, readOnly, hidden, shown, network } = profile;
  const kept = writable.filter((path) => readOnly.some((above) => path !== above && isInside(path, above)));
  const rules: readonly [rule: string, filter: 'subpath' | 'literal', paths: readonly string[]][] = [
    ['allow file-write-data file-ioctl', 'literal', DEVICES],
    ['allow file-write*', 'subpath', writable],
    ['deny file-write*', 'subpath', readOnly],
    ['deny file-write-unlink', 'literal', foldersAbove(profile)],
    ['allow file-write*', 'subpath', kept],
    ['deny file-read-data file-read-xattr file-write* network-outbound', 'subpath', hidden.map(({ path }) => path)],
    ['allow file-read* network-outbound', 'subpath', shown],
  ];
  return [
    '(version 1)', '(allow default)', '(deny file-write*)', ...(network ? [] : ['(deny network*)']),
    ...rules.flatMap(([rule, filter, paths]) => (paths.length === 0 ? [] : [`(${rule} ${paths.map((path) => `(${filter} ${quote(path)})`).join(' ')})`])),
    // Ways to have something started outside, and a look at others.
    '(deny appleevent-send)', '(deny lsopen)', '(deny job-creation)',
    '(deny process-info* (target others))', '(allow process-info* (target same-sandbox))', '(deny signal (target others))', '(allow signal (target same-sandbox))', '',
  ].join('\n');
}

const quote = (path: string): string => `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
