// Keeps secrets out of everything that is shown or stored.

/* Shapes of keys that are secret wherever they stand. */
const SHAPES = [
  /\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{20,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{30,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{40,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
];

/** Shorter values would mask ordinary words. */
const SHORTEST = 8;
/** On the screen a shorter beginning of a secret says nothing, and would flicker. */
const BEGINNING = 4;

/* Like the list of living children: for the way out of the program, which nobody hands anything. */
const met = new Set<string>();

/** Remembers secrets for the report of a crash. */
export function rememberSecrets(secrets: Iterable<string>): void {
  for (const secret of secrets) met.add(secret);
}

/** All that were remembered. */
export const rememberedSecrets = (): readonly string[] => [...met];

/** Makes the function that replaces the given secrets, in any spelling, and whatever looks like a key, by `••••` and its last four characters at most. */
export function createMask(secrets: Iterable<string>): (text: string) => string {
  const spellings = [...longestFirst(secrets)].flatMap((secret) => spellingsOf(secret).map((spelling) => ({ spelling, shown: maskSecret(secret) })));
  return (text) => {
    let masked = text;
    for (const { spelling, shown } of spellings) if (masked.includes(spelling)) masked = masked.replaceAll(spelling, shown);
    for (const shape of SHAPES) masked = masked.replace(shape, (match) => maskSecret(match));
    return masked;
  };
}

const longestFirst = (secrets: Iterable<string>): string[] => [...new Set(secrets)].filter((secret) => secret.length >= SHORTEST).sort((a, b) => b.length - a.length);

/** A secret as it may stand in a text: itself, inside JSON (and JSON in JSON), a URL, base64 of any alignment, hex. */
function spellingsOf(secret: string): string[] {
  const quoted = JSON.stringify(secret).slice(1, -1);
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].flatMap((offset) => {
    // What stands before and after shares its first and last characters; those between are the secret's alone.
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64').slice(offset === 0 ? 0 : offset + 1, Math.floor(((offset + bytes.length) * 8) / 6));
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [...new Set([secret, quoted, JSON.stringify(quoted).slice(1, -1), encodeURIComponent(secret), ...base64, bytes.toString('hex'), bytes.toString('hex').toUpperCase()])].filter((text) => text.length >= SHORTEST);
}

/** Hides the end of a text that grows, where it may be the beginning of a secret. */
export function maskEnd(text: string, secrets: readonly string[]): string {
  const start = openAt(text, secrets, BEGINNING);
  return start === text.length ? text : `${text.slice(0, start)}••••`;
}

/** For text in pieces: `push` gives what can be shown by now, masked; `end` the rest. */
export function maskPieces(mask: (text: string) => string, secrets: readonly string[]): { push(piece: string): string; end(): string } {
  let held = '';
  return {
    push(piece) {
      held += piece;
      const start = openAt(held, secrets, 1);
      const safe = held.slice(0, start);
      held = held.slice(start);
      return mask(safe);
    },
    end() {
      const rest = mask(held);
      held = '';
      return rest;
    },
  };
}

/** Where an end begins that is the beginning of a secret; the length where there is none. */
function openAt(text: string, secrets: readonly string[], shortest: number): number {
  let start = text.length;
  for (const secret of secrets) {
    if (secret.length < SHORTEST) continue;
    for (let length = Math.min(secret.length - 1, text.length); length >= shortest; length -= 1) {
      if (text.endsWith(secret.slice(0, length))) { start = Math.min(start, text.length - length); break; }
    }
  }
  return start;
}

/** One secret as it may be shown: enough to tell two keys apart, too little to use. */
export function maskSecret(secret: string): string {
  return secret.length >= 16 ? `••••${secret.slice(-4).replace(/[^\w]/g, '•')}` : '••••';
}

/** `maskDeep` that remembers: the same object gives the same object. For values that never change. */
export function createDeepMask(mask: (text: string) => string): <T>(value: T) => T {
  const known = new WeakMap<object, unknown>();
  const go = (value: unknown): unknown => {
    if (typeof value === 'string') return mask(value);
    if (typeof value !== 'object' || value === null) return value;
    const before = known.get(value);
    if (before !== undefined) return before;
    const masked = maskAny(value, mask, go);
    known.set(value, masked);
    return masked;
  };
  return <T>(value: T) => go(value) as T;
}

/** A value with every string in it masked, keys of objects too. Gives the same value back where nothing was secret. */
export function maskDeep<T>(value: T, mask: (text: string) => string): T {
  return maskAny(value, mask) as T;
}

/* String by string: in JSON text an escape such as \\n would stick to a key and hide it, and a secret number would break the syntax. */
function maskAny(value: unknown, mask: (text: string) => string, inside = (item: unknown): unknown => maskAny(item, mask)): unknown {
  if (typeof value === 'string') return mask(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(inside);
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  const entries = Object.entries(value).map(([key, item]) => [mask(key), inside(item), key, item] as const);
  return entries.some(([key, item, oldKey, oldItem]) => key !== oldKey || item !== oldItem) ? Object.fromEntries(entries.map(([key, item]) => [key, item])) : value;
}
