// What holds where nobody says otherwise: the first layer.
import type { Config } from './schema.ts';

export const defaults = {
  timeout: 90,
  debug: false,
  tool_protocol: 'native',
  thinking: 'auto',
  permissions: { mode: 'default' },
  security: {
    ignore_patterns: [
      '.env', '.env.*', '!.env.example', '*.pem', '*.key', '*.p12', '**/secrets/**', '**/credentials/**',
      '.git/config', 'id_rsa*', 'id_ed25519*', '.npmrc', '.netrc',
    ],
    command_timeout: 120, sandbox: 'auto', sandbox_auto_allow: false, pass_env: [],
  },
  agent: { max_rounds: 50, parallel_tool_calls: true, max_cost_usd: null, doom_loop: 3, tool_planner: false },
  context: { pressure: true, reserve: 33_000, spill_chars: 50_000, message_chars: 200_000, keep_turns: 10 },
  verifier: { debounce_secs: 2, timeout_secs: 30, tests: false },
  ui: { theme: 'auto', show_thinking: false, layout: 'side', tool_log: true, notifications: true, editor_mode: 'normal', mouse: 'on', reduced_motion: false, screen_reader: false },
  web: { allowed_hosts: [] },
  sessions: { keep_days: null },
  hooks: { on_error: 'allow' },
  telemetry: { otlp_endpoint: null },
} as const satisfies DeepReadonly<Config>;

type DeepReadonly<T> = T extends readonly (infer U)[] ? readonly U[] : T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;
