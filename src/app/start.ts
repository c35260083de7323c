// Start: what a door hands to the composition root.
import type { Loaded, Scope } from '../config/load.ts';
import type { Paths } from '../config/paths.ts';
import type { SessionChoice } from './session.ts';

/** A backend by its configured name or protocol, and a model of it; absent: as the configuration says. */
export type Choice = { provider?: string; model?: string };

export type Start = {
  /** Reads the configuration; what project files may say only when they are trusted is left out unless `trusted`. `choice` stands in place of what the command line chose. */
  load(trusted: boolean, choice?: Choice, scope?: Scope): Promise<Loaded>;
  paths: Paths;
  env: NodeJS.ProcessEnv;
  version: string;
  /** Nobody is there to ask. */
  headless: boolean;
  /** `--trust` */
  trust: boolean;
  session: SessionChoice;
  /** `--add-dir` folders, absolute. */
  addDirs?: readonly string[];
  /** `--system-prompt-append` */
  append?: string;
};
