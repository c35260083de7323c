// Start: what a door hands to the composition root.
import type { Loaded } from '../config/load.ts';
import type { Paths } from '../config/paths.ts';
import type { SessionChoice } from './session.ts';

export type Start = {
  /** Reads the configuration; what project files may say only when they are trusted is left out unless `trusted`. */
  load(trusted: boolean): Promise<Loaded>;
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
