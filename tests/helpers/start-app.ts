// An App as the doors make it, over real files, with an array as frontend.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createApp, type Start } from '../../src/app.ts';
import { loadConfig, type Flags } from '../../src/config/load.ts';
import { findPaths } from '../../src/config/paths.ts';
import type { App } from '../../src/types/command.ts';
import type { AgentEvent } from '../../src/types/event.ts';
import type { Answer, Question } from '../../src/types/question.ts';

export type World = { home: string; project: string; write(config: string): void };

/** A project and a home that are gone when the test ends. `config` is the user's. */
export function makeWorld(config = ''): World {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'mewcode-app-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const home = join(base, 'home');
  const project = join(base, 'project');
  mkdirSync(home);
  mkdirSync(join(project, '.git'), { recursive: true });
  const write = (text: string) => writeFileSync(join(home, 'config.yaml'), text);
  write(config);
  return { home, project, write };
}

export function startOf({ home, project }: World, more: Partial<Start> & { flags?: Flags } = {}): Start {
  const { flags = {}, ...rest } = more;
  const env = { HOME: home, MEWCODE_HOME: home, PATH: process.env['PATH'] ?? '', MEWCODE_DEMO_RATE: '0', ...more.env };
  return {
    load: (trusted, choice, scope) => loadConfig({ cwd: project, env, home, trusted, ...scope, flags: choice ? { ...flags, provider: choice.provider, model: choice.model } : flags }),
    paths: findPaths({ cwd: project, env }), version: '1.2.3', headless: true, trust: false, session: { kind: 'new' }, ...rest, env,
  };
}

export type Opened = { app: App; events: AgentEvent[] };

/** Resolves when the app is ready; it is closed when the test ends. */
export async function openApp(world: World, more: Parameters<typeof startOf>[1] & { answer?(question: Question): Answer } = {}): Promise<Opened> {
  const events: AgentEvent[] = [];
  const { answer, ...start } = more;
  const app = createApp(startOf(world, start), { emit: (event) => events.push(event), ask: async (question) => answer?.(question) ?? { kind: 'dismissed' } });
  onTestFinished(() => app.close());
  await app.ready;
  return { app, events };
}
