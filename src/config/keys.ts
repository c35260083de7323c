// Finds the key of a backend, and puts variables into texts.
import type { Fault } from './faults.ts';
import type { Said } from './merge.ts';
import { findProtocol } from './protocols.ts';

/** `${NAME}` and `${NAME:-instead}` replaced from the environment; the names that are not there. */
export function expand(text: string, env: NodeJS.ProcessEnv): { value: string; missing: string[] } {
  const missing: string[] = [];
  const value = text.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_match, name: string, instead: string | undefined) => {
    const found = env[name] || instead;
    if (found === undefined) missing.push(name);
    return found ?? '';
  });
  return { value, missing };
}

type Sources = {
  protocol: string;
  /** `api_key` and `api_key_env`. */
  literal: Said | undefined;
  named: Said | undefined;
  env: NodeJS.ProcessEnv;
  /** MEWCODE_API_KEY was meant for this backend. */
  general: boolean;
};

/**
 * The key, the first that is there: literal, MEWCODE_API_KEY, a variable named in a file, the usual variable. A
 * variable that a file names and that is not set is a fault only when nothing else gives a key.
 */
export function findKey({ protocol, literal, named, env, general }: Sources, faults: Fault[]): { value: string; from: string } | undefined {
  const written = literal && String(literal.value).trim();
  if (literal && written && !written.includes('${')) return { value: written, from: literal.layer.label };
  const own = general ? ['MEWCODE_API_KEY', 'LLM_API_KEY'].find((name) => env[name]) : undefined;
  if (own !== undefined) return { value: env[own] ?? '', from: own };

  const missing: Fault[] = [];
  const told = (said: Said, name: string) => missing.push({ where: said.layer.where(said.path), text: `\`${said.path.join('.')}\`: the variable ${name} is not set. Set it, or write the key itself.` });
  if (literal && written) {
    const expanded = expand(written, env);
    if (expanded.missing.length === 0) return { value: expanded.value, from: `${literal.layer.label}: ${written}` };
    for (const name of expanded.missing) told(literal, name);
  }
  if (named) {
    const name = String(named.value);
    if (env[name]) return { value: env[name], from: `${named.layer.label}: ${name}` };
    told(named, name);
  }
  const usual = findProtocol(protocol)?.keyVars.find((name) => env[name]);
  if (usual !== undefined) return { value: env[usual] ?? '', from: usual };
  faults.push(...missing);
  return undefined;
}
