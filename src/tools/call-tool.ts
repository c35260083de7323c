// CallTool: stands for a call of a tool that is not in the model's list; everything that judges, logs or shows sees that call.
import { z } from 'zod';
import type { Tool } from '../types/tool.ts';
import { defineTool } from './define.ts';

export function callTool(): Tool<{ name: string; arguments: Record<string, unknown> }> {
  return defineTool({
    name: 'CallTool',
    description: 'Calls a tool that ToolSearch has found and that is not in your list. Give its full name and all its arguments as its schema wants them.',
    input: z.strictObject({
      name: z.string().min(1).describe('Full name of the tool'),
      // Some models send what is inside as text.
      arguments: z.preprocess((raw) => (typeof raw === 'string' ? parsed(raw) : raw), z.looseObject({})).default({}).describe("The tool's own arguments"),
    }),
    title: ({ name }) => name,
    access: () => [{ kind: 'none', target: '' }],
    unwrap: (input) => ({ name: input.name, input: input.arguments }),
    run: async ({ name }) => ({ ok: false, text: `${name} was not called.` }),
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
