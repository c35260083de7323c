// The real app in this process, headless, in a project of its own, against a server that plays a model.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import { findPaths } from '../../src/config/paths.ts';
import type { App } from '../../src/types/command.ts';
import type { AgentEvent } from '../../src/types/event.ts';
import type { Question, Answer } from '../../src/types/question.ts';
import type { Api } from './sse-bytes.ts';

export type Place = { project: string; env: NodeJS.ProcessEnv; remove(): void };

/** A project with files, and a home that holds nothing but the configuration. */
export function makePlace(files: Readonly<Record<string, string>>, config: string): Place {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mewcode-talk-')));
  for (const [path, text] of Object.entries({ 'home/config.yaml': config, ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`project/${name}`, text])) })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  mkdirSync(join(folder, 'project/.git'), { recursive: true });
  return {
    project: join(folder, 'project'),
    env: { PATH: process.env.PATH, HOME: folder, MEWCODE_HOME: join(folder, 'home') },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Each API with a protocol that speaks it and a model that thinks. */
export const APIS: readonly { api: Api; protocol: string; model: string }[] = [
  { api: 'messages', protocol: 'anthropic', model: 'claude-opus-5-5' },
  { api: 'responses', protocol: 'openai', model: 'gpt-6.2-sol' },
  { api: 'chat', protocol: 'deepseek', model: 'deepseek-flash' },
];

export const configFor = (protocol: string, model: string, url: string, more = ''): string => `protocol: ${protocol}\nmodel: ${model}\nbase_url: ${url}/v1\napi_key: test-key-0123456789\n${more}`;

export type Running = { app: App; events: AgentEvent[]; /** Calls `act` once, at the first event from now on that fits. */ when(fits: (event: AgentEvent) => boolean, act: () => void): void };

/** Starts the app and waits until it takes prompts. `answer` answers its questions; without it all is allowed. */
export async function startApp(place: Place, options: { resume?: boolean; append?: string; answer?(question: Question): Answer } = {}): Promise<Running> {
  const { project, env } = place;
  const events: AgentEvent[] = [];
  let watchers: { fits(event: AgentEvent): boolean; act(): void }[] = [];
  const app = createApp(
    {
      load: (trusted) => loadConfig({ cwd: project, env, home: env.HOME, flags: {}, trusted }),
      paths: findPaths({ cwd: project, env }), env, version: '0.0.0', headless: true, trust: true, session: options.resume ? { kind: 'continue' } : { kind: 'new' },
      ...(options.append !== undefined && { append: options.append }),
    },
    {
      emit(event) {
        events.push(event);
        const now = watchers.filter((watcher) => watcher.fits(event));
        watchers = watchers.filter((watcher) => !now.includes(watcher));
        for (const watcher of now) watcher.act();
      },
      ask: async (question) => options.answer?.(question) ?? { kind: 'allow' },
    },
  );
  await app.ready;
  return { app, events, when: (fits, act) => { watchers.push({ fits, act }); } };
}
