// What the built-in tools get from the configuration and the place: limits, the way to the web, the memory cards.
import { join } from 'node:path';
import type { Loaded } from '../config/load.ts';
import { makeProjectDir } from '../config/paths.ts';
import { createMemory } from '../extend/memory.ts';
import { proxyOf } from '../providers/proxy.ts';
import type { ToolOptions } from '../tools/index.ts';
import type { Start } from './start.ts';

/** `mask` hides secrets in what is written. */
export function toolOptionsOf({ paths, env, headless }: Start, loaded: Loaded, mask: (text: string) => string): ToolOptions {
  return {
    commandTimeoutMs: loaded.commandTimeoutMs,
    nobody: headless,
    web: { allowedHosts: loaded.config.web?.allowed_hosts ?? [], proxy: proxyOf(env) },
    cards: createMemory({
      mask, prepare: () => makeProjectDir(paths),
      places: { project: paths.hasProject ? join(paths.projectDir, 'memory') : null, user: join(paths.userDir, 'memory') },
    }),
  };
}
