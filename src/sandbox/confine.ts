// The sandbox around commands: what each may do follows from how it was judged. Nothing of it is a tool's to choose.
import { join } from 'node:path';
import type { Facts } from '../types/permission.ts';
import { bubblewrap } from './bubblewrap.ts';
import { findGit, gitFoldersOf } from './git-folders.ts';
import { needsOf } from './needs.ts';
import type { SandboxKind } from './probe.ts';
import { isInside, profileFor, standing, type Place } from './profile.ts';
import { seatbelt } from './seatbelt.ts';

export type Confined = {
  /** Puts the sandbox around a command of a judged call; without `facts` nothing is opened for it. `network`: it has it whatever was seen. */
  wrap(argv: readonly string[], options: { network?: boolean | undefined; facts?: Facts }): string[];
  /** What the commands of a call would have; `undefined` where nothing keeps them in. */
  confined(facts: Facts): { network: boolean } | undefined;
  /** Whether nothing that a call does leaves the sandbox: no network, no keys, no history of git. */
  contains(facts: Facts): boolean;
  /** Looks through the project ahead of the first command. */
  warm(): Promise<void>;
  /** Remembers what stands at the guarded places of the roots; what is given back tells which came to be there. */
  watch(facts: Facts): () => string[];
};

export type ConfineOptions = {
  kind: SandboxKind;
  place: Place;
  /** Whether every command has the network, by rule or mode. */
  networkForAll(): boolean;
};

export function confine({ kind, place, networkForAll }: ConfineOptions): Confined {
  const reaches = (facts: Facts | undefined) => networkForAll() || needsOf(facts).network;
  return {
    wrap(argv, { network, facts }) {
      if (kind.kind === 'none') return [...argv];
      const needs = needsOf(facts);
      const profile = profileFor(place, needs, network === true || (facts !== undefined && (needs.network || networkForAll())));
      return kind.kind === 'bubblewrap' ? bubblewrap(argv, profile, kind) : seatbelt(argv, profile);
    },
    confined: (facts) => (kind.kind === 'none' ? undefined : { network: reaches(facts) }),
    contains(facts) {
      const { git, programs } = needsOf(facts);
      return kind.kind !== 'none' && !reaches(facts) && git === 'no' && Object.values(facts.shell).every(({ ok }) => ok) && programs.length === 0;
    },
    async warm() {
      if (kind.kind !== 'none') for (const root of place.searched) await place.search.warm(root);
    },
    watch(facts) {
      if (kind.kind === 'none') return () => [];
      const { git, gitFolders, writes } = needsOf(facts);
      // Git itself brings what it fetched; but a repository that shares another one's configuration is made by `git worktree` alone, and elsewhere.
      const places = git === 'no'
        ? place.searched.flatMap((root) => place.guarded.map((name) => join(root, name))).filter((path) => !writes.some((written) => isInside(written, path)))
        : gitFolders.flatMap((folder) => { const found = findGit(folder); return found === undefined ? [] : gitFoldersOf(found).flatMap((at) => ['commondir', ...(git === 'writes' ? ['hooks', 'config.worktree'] : [])].map((name) => join(at, name))); });
      const before = places.map(standing);
      return () => places.filter((path, i) => before[i] !== 'there' && standing(path) !== 'nothing' && standing(path) !== before[i]);
    },
  };
}
