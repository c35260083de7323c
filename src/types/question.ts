// Question and Answer: everything that the user must decide, and how it was decided.
import type { Json, JsonObject } from './json.ts';
import type { View } from './message.ts';
import type { Call, Decision } from './permission.ts';

export type Question =
  | {
      kind: 'permission';
      call: Call;
      title: string;
      view?: View;
      /** The argument that is edited as plain text (a command, a file's content); absent: all of them as JSON. */
      editable?: string;
      decision: Decision;
      cwd: string;
      /** For shell text: each simple command and whether it is why we ask. */
      commands?: readonly { source: string; asks: boolean }[];
      /** Rules that "for this session" adds, and the narrowest sensible one for "always"; absent where no rule would help. */
      session?: readonly string[];
      always?: string;
    }
  | { kind: 'choose'; title: string; text?: string; options: readonly { id: string; label: string; detail?: string }[]; many?: boolean; free?: boolean }
  | { kind: 'form'; title: string; from: string; schema: JsonObject };

export type Answer =
  | { kind: 'allow'; keep?: 'session' | 'always'; rules?: readonly string[]; input?: unknown; note?: string }
  | { kind: 'deny'; note?: string }
  | { kind: 'chosen'; ids: readonly string[]; text?: string }
  | { kind: 'filled'; values: Record<string, Json> }
  | { kind: 'dismissed' };

