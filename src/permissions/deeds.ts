// The program that an interpreter of another language is given, as effects and commands of the shell text around it.
import type { Effect } from '../types/permission.ts';
import { bothDeeds, type Deeds, NO_DEEDS, programGiven, readCode } from './code.ts';
import { nameOf, onDisk } from './disk.ts';
import { ofPath } from './programs.ts';
import { type Field, type Scope, sketchOf, type Value, valueOf } from './words.ts';

/** `from`: what the text of the program came from; `stdin`: it is taken from there, or runs what it reads there. */
export type Code = { deeds: Deeds; effects: Effect[]; from: readonly string[]; stdin: boolean };

/** Reads the program in `args`, where its text is known. `undefined` for a command that is given none. */
export function codeOf(args: readonly Field[], { stdin, scope, home }: { stdin: Value; scope: Scope; home: string }): Code | undefined {
  const program = programGiven(args);
  if (!program) return undefined;
  const file = program.file ? (program.file.holds ?? onDisk(nameOf(program.file), scope)) : undefined;
  const values = [...program.texts.map(valueOf), ...(file ? [file] : []), ...(program.stdin ? [stdin] : [])].filter((value) => value.texts !== null || value.sketch !== undefined);
  const deeds = values.flatMap((value) => value.texts ?? [sketchOf(value)]).map((text) => readCode(text, program.language, { home, cwd: scope.cwd })).reduce(bothDeeds, NO_DEEDS);
  return {
    deeds,
    effects: [...deeds.reads.flatMap((path) => ofPath('read', path, scope.cwd)), ...deeds.writes.flatMap((path) => ofPath('write', path, scope.cwd))],
    from: [...program.texts.flatMap((field) => field.from), ...(program.file?.from ?? []), ...(file?.from ?? []), ...(deeds.runs === 'download' ? ['curl'] : [])],
    stdin: program.stdin === true || deeds.runs === 'stdin',
  };
}
