// A conversation over a scripted model, with the real state, judge and disk, and an array as frontend.
import { homedir } from 'node:os';
import type { Conversation } from '../../src/agent/conversation.ts';
import { createVoice } from '../../src/agent/frontend.ts';
import { isHidden, openFiles } from '../../src/permissions/paths.ts';
import { parseRule } from '../../src/permissions/rules.ts';
import { createStore } from '../../src/store/store.ts';
import { initialState, reduce } from '../../src/store/reduce.ts';
import type { AgentEvent } from '../../src/types/event.ts';
import type { Message } from '../../src/types/message.ts';
import type { Mode, Rule } from '../../src/types/permission.ts';
import type { Answer, Question } from '../../src/types/question.ts';
import type { SessionState } from '../../src/types/state.ts';
import type { Seen, Tool } from '../../src/types/tool.ts';
import { scriptedModel, type Step } from './model.ts';

export type TestConversation = {
  conversation: Conversation;
  events: AgentEvent[];
  requests: ReturnType<typeof scriptedModel>['requests'];
  state(): SessionState;
  /** What the next boundary hands over. */
  queue: string[];
  /** What has happened in the background. */
  news: string[];
  rules: Rule[];
};

/** Ids and times count up from 1, so that whole objects can be compared. */
export function testConversation(options: {
  steps: readonly Step[];
  tools: readonly Tool[];
  cwd: string;
  mode?: Mode;
  disabled?: readonly Tool[];
  spillDir?: string;
  spillOver?: Partial<Conversation['spillOver']>;
  maxRounds?: number;
  maxCostUsd?: number;
  answer?(question: Question, signal: AbortSignal): Promise<Answer> | Answer;
}): TestConversation {
  const { provider, requests } = scriptedModel(options.steps);
  const events: AgentEvent[] = [];
  const queue: string[] = [];
  const news: string[] = [];
  const rules: Rule[] = [];
  const seen = new Map<string, Seen>();
  const roots = [options.cwd];
  let ids = 0;
  let time = 0;
  const newId = () => `id${(ids += 1)}`;
  const clock = () => (time += 1);
  const store = createStore<SessionState, AgentEvent>(reduce, initialState());
  const voice = createVoice({
    agent: 'main', keep: [store.dispatch], clock, newId,
    frontend: { emit: (event) => events.push(event), ask: async (question, signal) => options.answer?.(question, signal) ?? { kind: 'deny' } },
  });
  voice.emit({ type: 'session_started', id: 's1', cwd: options.cwd, provider: 'scripted', model: 'scripted-1', mode: options.mode ?? 'default', window: 100_000 });
  const conversation: Conversation = {
    sessionId: 's1', voice, state: store.get, provider: () => provider, thinking: 'auto', maxTokens: 1_000,
    system: ['system'], offered: options.tools.map(({ name, description, schema }) => ({ name, description, schema })), tools: () => options.tools, disabled: () => options.disabled ?? [], news: () => news.splice(0),
    policy: () => ({ mode: store.get().mode, roots, rules: [...rules], custom: {}, ignorePatterns: [], ownFiles: [] }),
    allow: async (text) => { rules.push(parseRule({ text, verdict: 'allow', from: 'session', rank: 100 })); },
    files: (facts) => openFiles({ roots, facts, seen, hidden: isHidden([], roots) }),
    cwd: options.cwd, home: homedir(), env: {}, wrap: (argv) => [...argv], mask: (text) => text.replaceAll('SECRET', '••••'), spillDir: options.spillDir ?? null, spillOver: { result: 50_000, message: 200_000, ...options.spillOver }, verify: null,
    reminders: async () => [], takeQueue: () => queue.splice(0), maxRounds: options.maxRounds ?? 50, maxCostUsd: options.maxCostUsd, repeats: 3, parallel: true, clock, newId,
  };
  return { conversation, events, requests, state: store.get, queue, news, rules };
}

/** What every service demands of a history: each call has exactly one result, in the very next message. Gives what is wrong. */
export function pairingFaults(messages: readonly Message[]): string[] {
  const faults: string[] = [];
  messages.forEach((message, index) => {
    const calls = message.role === 'assistant' ? message.parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : [])) : [];
    const next = messages[index + 1];
    const results = next?.role === 'tool' ? next.parts.flatMap((part) => (part.type === 'tool_result' ? [part.callId] : [])) : [];
    if (JSON.stringify(calls) !== JSON.stringify(results)) faults.push(`${message.id}: calls ${calls.join(',')} but results ${results.join(',')}`);
    if (message.role === 'tool' && messages[index - 1]?.role !== 'assistant') faults.push(`${message.id}: results behind no answer`);
    if (message.parts.length === 0) faults.push(`${message.id}: empty`);
  });
  return faults;
}
