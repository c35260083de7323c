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

/** Makes the function that replaces the given secrets, and whatever looks like a key, by `••••` and its last four characters at most. */
export function createMask(secrets: Iterable<string>): (text: string) => string {
  const known = [...new Set(secrets)].filter((secret) => secret.length >= SHORTEST).sort((a, b) => b.length - a.length);
  return (text) => {
    let masked = text;
    for (const secret of known) {
      if (masked.includes(secret)) masked = masked.replaceAll(secret, maskSecret(secret));
      // The same value inside a JSON string.
      const quoted = JSON.stringify(secret).slice(1, -1);
      if (quoted !== secret && masked.includes(quoted)) masked = masked.replaceAll(quoted, maskSecret(secret));
    }
    for (const shape of SHAPES) masked = masked.replace(shape, (match) => maskSecret(match));
    return masked;
  };
}

/** One secret as it may be shown: enough to tell two keys apart, too little to use. */
export function maskSecret(secret: string): string {
  return secret.length >= 16 ? `••••${secret.slice(-4).replace(/[^\w]/g, '•')}` : '••••';
}

/** A value with every string in it masked, keys of objects too. Gives the same value back where nothing was secret. */
export function maskDeep<T>(value: T, mask: (text: string) => string): T {
  return maskAny(value, mask) as T;
}

/* String by string: in JSON text an escape such as \\n would stick to a key and hide it, and a secret number would break the syntax. */
function maskAny(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => maskAny(item, mask));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  const entries = Object.entries(value).map(([key, item]) => [mask(key), maskAny(item, mask), key, item] as const);
  return entries.some(([key, item, oldKey, oldItem]) => key !== oldKey || item !== oldItem) ? Object.fromEntries(entries.map(([key, item]) => [key, item])) : value;
}
