// Message, Part and View: what the conversation is made of, and what a result shows on the screen.

/** What a service wants back unchanged (a signature, a reasoning item …). Echoed only to the wire that made it. */
export type Native = { wire: string; data: unknown };

export type Image = { mime: string; base64: string };

export type TextPart = { type: 'text'; text: string; native?: Native };
export type ThinkingPart = { type: 'thinking'; text: string; native?: Native };
export type ToolCallPart = {
  type: 'tool_call';
  id: string;
  name: string;
  /** The parsed arguments; `{}` where `problem` is set. */
  input: unknown;
  /** Why the arguments can't be used (cut off, not JSON). Such a call is answered with this and never run. */
  problem?: string;
  native?: Native;
};
export type ToolResultPart = {
  type: 'tool_result';
  callId: string;
  name: string;
  ok: boolean;
  text: string;
  images?: Image[];
  /** Names of deferred tools that this result made known. */
  found?: string[];
  view?: View;
  /** Path of the file that holds the whole text, where `text` is a preview. */
  spill?: string;
};
export type Part = TextPart | ThinkingPart | ({ type: 'image' } & Image) | ToolCallPart | ToolResultPart;

export type Role = 'user' | 'assistant' | 'tool';

export type Message = {
  id: string;
  role: Role;
  parts: readonly Part[];
  /** Milliseconds since 1970. */
  at: number;
  /** Who put it there, when it was neither the person at the keyboard nor the model: `reminder` is MewCode itself and is not shown. */
  source?: string;
};

export type Todo = { content: string; status: 'pending' | 'in_progress' | 'completed' };

/** What a result, a preview or a command shows. Screens draw views and never ask which tool made them. */
export type View =
  | { type: 'text'; text: string }
  /** `patch` is a unified diff, hunks only or with headers; where it has several files, `path` says how many. */
  | { type: 'diff'; path: string; patch: string; /** What checkers say is wrong since. */ found?: string }
  | { type: 'terminal'; command: string; output: string; exit?: number }
  | { type: 'todos'; items: readonly Todo[] }
  | { type: 'table'; head: string[]; rows: string[][] };
