// What one shell text does to the disk as far as it matters to itself: files that it writes and then runs, links that it makes.
import { basename, resolve } from 'node:path';
import { type Field, join, merge, type Scope, type Value } from './words.ts';

/** What stands in a file that the same text has written, or where a link of its own leads. */
export function onDisk(path: string | null | undefined, scope: Scope): (Value & { link?: string }) | undefined {
  return typeof path === 'string' && scope.disk.size > 0 ? scope.disk.get(placeOf(path, scope)) : undefined;
}

/** What tells a file from others: its name or, where that is not known whole, what is known of it. */
export function nameOf({ text, sketch }: { text: string | null; sketch?: string }): string | null {
  return text ?? (sketch !== undefined && sketch !== '' && sketch !== '$_' ? sketch : null);
}

/** A path as `Scope.disk` knows it; relative ones count from wherever we are, known or not. */
export function placeOf(path: string, scope: Scope): string {
  return resolve(scope.cwd ?? '/\0', path);
}

/** Remembers what was written to a file. A second writing may come instead of the first or after it. */
export function keep({ path, append }: { path: string; append: boolean }, value: Value, scope: Scope): void {
  if (path === '' || path.startsWith('/dev/')) return;
  const place = placeOf(path, scope);
  const before = scope.disk.get(place);
  const now = append && before ? join(before, value, '') : value;
  scope.disk.set(place, before && !append ? { texts: merge(before.texts, now.texts), from: [...before.from, ...now.from], sketch: now.sketch ?? now.texts?.[0] ?? '$_' } : now);
}

/** A path through the links that the text has made; one that ends at a link is the link. */
export function follow(path: string, scope: Scope): string {
  if (scope.disk.size === 0 || !path.startsWith('/')) return path;
  let at = path;
  for (let i = 0; i < 10; i += 1) {
    const parts = at.split('/');
    const cut = parts.findIndex((_, n) => n > 0 && n < parts.length - 1 && scope.disk.get(resolve(parts.slice(0, n + 1).join('/')))?.link !== undefined);
    if (cut < 0) return at;
    at = `${scope.disk.get(resolve(parts.slice(0, cut + 1).join('/')))?.link ?? ''}/${parts.slice(cut + 1).join('/')}`;
  }
  return at;
}

/** What copying, linking, `tee` and downloads leave on the disk. */
export function changeDisk(name: string, args: readonly Field[], { scope, stdin }: { scope: Scope; stdin: Value }): void {
  const words = args.slice(1).map((field) => nameOf(field) ?? '');
  const operands = words.filter((word) => !/^-./.test(word));
  switch (name) {
    case 'tee': for (const path of operands) keep({ path, append: words.includes('-a') }, stdin, scope); return;
    case 'dd': for (const word of words) if (word.startsWith('of=')) keep({ path: word.slice(3), append: false }, stdin, scope); return;
    case 'cp': case 'mv': case 'install': case 'ln': {
      const target = operands.at(-1);
      for (const source of operands.slice(0, -1)) {
        const value = name === 'ln' && words.some((word) => /^-[a-z]*s|^--symbolic/.test(word)) ? { texts: null, from: [], link: resolve(scope.cwd ?? '/\0', source) } : onDisk(source, scope);
        if (value && target !== undefined) for (const path of [target, `${target}/${basename(source)}`]) scope.disk.set(placeOf(path, scope), value);
      }
      return;
    }
    case 'curl': case 'wget': case 'wget2': case 'aria2c': case 'fetch': case 'http': case 'xh':
      for (const path of downloads(name, words)) keep({ path, append: false }, { texts: null, from: [name] }, scope);
      return;
    default:
  }
}

/** The files that a download is written to. */
function downloads(name: string, words: readonly string[]): string[] {
  const [output, remote] = name.startsWith('wget') ? [/^(?:-[a-zA-Z]*O|--output-document=?)(.*)$/s, undefined] : [/^(?:-[a-zA-Z]*o|--out(?:put)?=?)(.*)$/s, /^-[a-zA-Z]*O|^--remote-name/];
  const folder = words.flatMap((word, i) => (/^(-P|--directory-prefix|--output-dir|-d|--dir)$/.test(words[i - 1] ?? '') ? [word] : []))[0];
  const named = words.flatMap((word, i) => {
    const inline = output.exec(word)?.[1];
    return inline === undefined ? [] : [inline || (words[i + 1] ?? '')];
  });
  const own = words.some((word) => remote?.test(word)) || (named.length === 0 && /^(wget|aria2c)/.test(name));
  const urls = own ? words.filter((word, i) => !word.startsWith('-') && !/^(-P|--directory-prefix|-H|--header)$/.test(words[i - 1] ?? '')).map((word) => basename(word.replace(/[?#].*$/, ''))) : [];
  return [...named, ...urls].filter((path) => path !== '' && path !== '-').map((path) => (folder === undefined ? path : `${folder}/${path}`));
}
