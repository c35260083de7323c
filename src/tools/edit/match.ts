// Where an edit applies, and the text after it. Pure; strategies that match more loosely are further rows of `strategies`.
import { carryEndings, mostlyCrlf, type Lines } from './line-endings.ts';

/** A piece of a text: from `start` to before `end`, in UTF-16 units. */
export type Place = { start: number; end: number };

export type Matched =
  | { ok: true; strategy: string; places: readonly Place[] }
  | { ok: false; why: 'missing' }
  /** `lines` are those in which the places begin, counted from 1. */
  | { ok: false; why: 'ambiguous'; lines: readonly number[] };

/** All places where `wanted` stands, in order; places may overlap. */
type Strategy = { name: string; find(text: string, wanted: string): Place[] };

/** Strictest first. The first that finds anything decides. */
const strategies: readonly Strategy[] = [{ name: 'exact', find: findExact }];

/** More places than anyone will look at. */
const MANY = 1_000;

/** The one place of `wanted` in `text`, or with `all` every place that overlaps none before it. Both have LF only; `wanted` is not empty. */
export function findPlaces(text: string, wanted: string, { all }: { all: boolean }): Matched {
  for (const { name, find } of strategies) {
    const places = all ? withoutOverlap(text, wanted) : find(text, wanted);
    if (places.length === 0) continue;
    if (all || places.length === 1) return { ok: true, strategy: name, places };
    return { ok: false, why: 'ambiguous', lines: linesOf(text, places) };
  }
  return { ok: false, why: 'missing' };
}

/** `file` with each place (in order, none overlapping) replaced; the file's own line endings are kept. */
export function replacePlaces(file: Lines, places: readonly Place[], replacement: string): Lines {
  const fallback = mostlyCrlf(file.crlf);
  const texts: string[] = [];
  const crlf: boolean[] = [];
  let at = 0;
  let newline = 0;
  const keep = (end: number) => {
    const text = file.text.slice(at, end);
    const passed = newlines(text);
    texts.push(text);
    for (const ending of file.crlf.slice(newline, newline + passed)) crlf.push(ending);
    newline += passed;
    at = end;
  };
  for (const { start, end } of places) {
    keep(start);
    const before = file.text.slice(start, end);
    const passed = newlines(before);
    texts.push(replacement);
    for (const ending of carryEndings(before, replacement, file.crlf.slice(newline, newline + passed), fallback)) crlf.push(ending);
    newline += passed;
    at = end;
  }
  keep(file.text.length);
  return { text: texts.join(''), crlf };
}

function findExact(text: string, wanted: string, step = 1, most = MANY): Place[] {
  const places: Place[] = [];
  for (let at = text.indexOf(wanted); at !== -1 && places.length < most; at = text.indexOf(wanted, at + step)) {
    places.push({ start: at, end: at + wanted.length });
  }
  return places;
}

const withoutOverlap = (text: string, wanted: string): Place[] => findExact(text, wanted, wanted.length, Infinity);

/** The lines, counted from 1, in which places begin. */
function linesOf(text: string, places: readonly Place[]): number[] {
  let line = 1;
  let at = 0;
  return places.map(({ start }) => {
    line += newlines(text.slice(at, start));
    at = start;
    return line;
  });
}

function newlines(text: string): number {
  let found = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) found += 1;
  return found;
}
