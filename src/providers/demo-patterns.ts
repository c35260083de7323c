// What the demo model understands, as data: each kind of request with the calls and words that it leads to.
import { basename } from 'node:path';
import { plural } from '../lib/plural.ts';
import type { ToolResultPart } from '../types/message.ts';
import type { FailureKind } from '../types/provider.ts';
import { fence, fileLines, longAnswer, numberedLines } from './demo-answers.ts';
import type { Step } from './demo-script.ts';

/** The results of the calls that one step asked for, in the order of the calls. */
export type Round = readonly ToolResultPart[];

/** One kind of request. */
export type Move = {
  pattern: RegExp;
  /** How `help` shows it; absent: not shown. */
  example?: string;
  /** Pure: what to do after these rounds. A step without calls ends the move. */
  next(match: RegExpMatchArray, rounds: readonly Round[]): Step;
};

/** The first that matches is taken; the last matches everything. */
export const moves: readonly Move[] = [
  {
    pattern: /<stdin>\n?([\s\S]*?)\n?<\/stdin>/,
    next: ([, text = '']) => ({ text: `The attached text has ${plural(text.split('\n').length, 'line')} and ${plural(text.length, 'character')}. It begins:\n\n${fence(text)}` }),
  },
  { pattern: /^(?:help|\?|what can you do\??)$/i, example: 'help', next: () => ({ text: help() }) },
  { pattern: /^(?:hi|hello|hey)\b/i, next: () => ({ text: 'Hello. I am the demo model: no key and no network, but the tools are real. Say `help` to see what I understand.' }) },
  {
    pattern: /\blong (?:answer|story|text)\b(?:.*?(\d+) words)?/i,
    example: 'long answer of 500 words',
    next: ([, words]) => ({ thinking: 'Something long is wanted. I will use every kind of Markdown that there is.', text: longAnswer(Number(words ?? 300)) }),
  },
  {
    pattern: /^think\b(?: (?:hard|about|of))*\s*(.*)$/is,
    example: 'think about event loops',
    next: ([, subject]) => ({
      thinking: `Let me think about ${subject || 'this'}.\n\nFirst, what is known for certain? Only what was asked. Then, what would I need to find out? The files, perhaps, and how they fit together. Third, what is the simplest answer that could be right? That is the one to try first.\n\nI am a demo, so this is as deep as it gets.`,
      text: `I thought about ${subject || 'it'}. The simplest answer that could be right is the one to try first.`,
    }),
  },
  {
    pattern: /^(?:plan\b|todos?\b|make (?:a |me a )?(?:plan|todo list)\b)(?: list)?:?(?: (?:for|to))?\s*(.*)$/is,
    example: 'todo: look around, write it, test it',
    next([, text = ''], rounds) {
      const named = text.split(/\s*[,;\n]\s*/).filter(Boolean);
      const todos = named.length > 1 ? named : [`Look at what there is${text && ` for: ${text}`}`, 'Do it in small steps', 'Check the result'];
      const at = rounds.length;
      if (at > todos.length || failed(rounds.at(-1))) return report(rounds.at(-1), () => `All ${todos.length} steps are done.`);
      const items = todos.map((content, i) => ({ content, status: i < at ? 'completed' : i === at ? 'in_progress' : 'pending', active_form: content }));
      return { ...(at === 0 && { thinking: 'This has several steps, so I write them down first.' }), calls: [{ name: 'TodoWrite', input: { items } }] };
    },
  },
  {
    pattern: /^(?:(?:run|execute)\s+|\$\s*)`?(.+?)`?$/is,
    example: 'run ls -la',
    next([, command = ''], [round]) {
      if (!round) return { thinking: `A command is wanted: ${command}`, calls: [{ name: 'Bash', input: { command } }] };
      return { text: round[0]?.ok ? `\`${command}\` says:\n\n${fence(round[0].text)}` : `\`${command}\` did not work:\n\n${fence(round[0]?.text ?? '')}` };
    },
  },
  {
    pattern: /^(?:create|write|make)\s+(?:an? )?(?:new )?(?:file )?(?:called |named )?[`"']?([^\s:`"']*[./][^\s:`"']*)[`"']?(?:\s*:|\s+(?:with|containing|saying|that says))?\s*(.*)$/is,
    example: 'create notes.md with three lines',
    next([, path = '', wanted = ''], rounds) {
      const write: Step = { calls: [{ name: 'WriteFile', input: { path, content: contentOf(path, wanted) } }] };
      if (rounds.length === 0) return { thinking: `A new file is wanted: ${path}`, ...write };
      // An existing file must be read before it may be replaced.
      if (rounds.length === 1 && failed(rounds[0]) && /\bread\b/i.test(textOf(rounds[0]))) return { text: 'There is such a file already. I read it first.', calls: [read(path)] };
      if (rounds.length === 2 && !failed(rounds[1])) return write;
      return report(rounds.at(-1), () => `I wrote \`${path}\`.`);
    },
  },
  {
    pattern: /^(?:replace|change)\s+(?:all |every )?(.+?)\s+(?:with|to|by)\s+(.+?)\s+in\s+(?:the file )?(\S+)$/is,
    example: 'replace old with new in notes.md',
    next([, old = '', wanted = '', file = ''], rounds) {
      const [path, before, after] = [bare(file), bare(old), bare(wanted)];
      if (rounds.length === 0) return { thinking: `${path} must be read before it can be changed.`, calls: [read(path)] };
      const places = fileLines(textOf(rounds[0])).join('\n').split(before).length - 1;
      if (failed(rounds[0])) return report(rounds[0], () => '');
      if (places === 0) return { text: `\`${before}\` does not occur in \`${path}\`, so I changed nothing.` };
      if (rounds.length === 1) return { calls: [{ name: 'EditFile', input: { path, old_string: before, new_string: after, ...(places > 1 && { replace_all: true }) } }] };
      return report(rounds[1], () => `I replaced \`${before}\` with \`${after}\` in \`${path}\`, in ${plural(places, 'place')}.`);
    },
  },
  {
    pattern: /^(?:read|show|open|cat)\s+(?:me )?(?:the )?(?:files? )?(.+)$/i,
    example: 'read package.json and README.md',
    next([, named = ''], [round]) {
      const paths = named.split(/\s*,\s*(?:and\s+)?|\s+and\s+/).map(bare).filter(Boolean);
      if (!round) return { thinking: paths.length > 1 ? 'These reads do not depend on each other, so I ask for all of them at once.' : `I have to look at ${paths[0]}.`, calls: paths.map(read) };
      return { text: paths.map((path, i) => describeFile(path, round[i])).join('\n\n') };
    },
  },
  {
    pattern: /^(?:find|list)\s+(?:all )?(?:the )?(?:files?\s+(?:named |called |like |matching )?(?!in\b)(\S+)|([^\s]*[*?]\S*|\S+\.\w{1,5}))(?:\s+in\s+(\S+))?$/i,
    example: 'find files *.md',
    next([, file, glob, path], [round]) {
      const name = bare(file ?? glob ?? '');
      const pattern = /[*?]/.test(name) ? name.replace(/^(?!.*\/)/, '**/') : `**/*${name}*`;
      if (!round) return { calls: [{ name: 'Glob', input: { pattern, ...(path && { path: bare(path) }) } }] };
      return report(round, (text) => `These match \`${pattern}\`:\n\n${fence(text)}`);
    },
  },
  {
    pattern: /^(?:list|ls)(?:\s+(?:the )?(?:files|folders?|director(?:y|ies)))?(?:\s+(?:in|of|under))?(?:\s+(\S+))?$/i,
    example: 'list src',
    next([, named = '.'], [round]) {
      const path = bare(named) || '.';
      if (!round) return { calls: [{ name: 'LS', input: { path } }] };
      return report(round, (text) => `In \`${path}\` there is:\n\n${fence(text)}`);
    },
  },
  {
    pattern: /^(?:search(?: for)?|grep|find|where is)\s+(?:the (?:word|text) )?(.+?)(?:\s+in\s+(\S+))?\??$/i,
    example: 'search for TODO in src',
    next([, words = '', path], [round]) {
      const word = bare(words);
      if (!round) return { thinking: `I search for "${word}".`, calls: [{ name: 'Grep', input: { pattern: word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), ...(path && { path: bare(path) }) } }] };
      return report(round, (text) => `The search for \`${word}\` gave:\n\n${fence(text)}`);
    },
  },
  {
    pattern: /^(?:call|use)\s+(?:the (?:tool )?)?(\w+)(?:\s+with)?\s*(\{.*)?$/is,
    example: 'call LS {"path": "."}',
    next([, name = '', rawArguments = '{}'], [round]) {
      if (!round) return { calls: [{ name, rawArguments }] };
      return report(round, (text) => `\`${name}\` gave:\n\n${fence(text)}`);
    },
  },
  {
    pattern: /^fail(?: with)?(?: an?)? (auth|rate_limit|overloaded|invalid_request|network|timeout|server)$/i,
    example: 'fail with overloaded',
    next: ([, kind = '']) => ({ text: 'Here it comes.', error: { kind: kind.toLowerCase() as FailureKind, message: `The demo model failed with ${kind}, as it was told to.` } }),
  },
  {
    pattern: /^[\s\S]*$/,
    next: ([ask]) => ({ text: `I am the demo model and understand only plain requests, so I can do nothing with "${ask.length > 80 ? `${ask.slice(0, 80)}…` : ask}". Say \`help\` to see what I can do.` }),
  },
];

function help(): string {
  const examples = moves.flatMap((move) => (move.example ? `- \`${move.example}\`` : []));
  return `I am the demo model. I need no key and no network, I understand a few plain requests, and the tools that I call are the real ones:\n\n${examples.join('\n')}\n\nJoin them with "then": \`read notes.md, then run wc -l notes.md\`.`;
}

const read = (path: string) => ({ name: 'ReadFile', input: { path } });

/** Without quotes around it and the full stop of the sentence. */
const bare = (text: string): string => text.trim().replace(/^([`"'])(.*)\1[.?!]?$/s, '$2').replace(/(?<=[\w)])[.?!,]+$/, '');

const failed = (round: readonly ToolResultPart[] | undefined): boolean => round?.some((result) => !result.ok) ?? false;

const textOf = (round: readonly ToolResultPart[] | undefined): string => round?.map((result) => result.text).join('\n') ?? '';

/** The last words of a move: `done` of the result, or what went wrong. */
function report(round: readonly ToolResultPart[] | undefined, done: (text: string) => string): Step {
  const text = textOf(round);
  return { text: failed(round) ? `That did not work: ${text}` : done(text) };
}

function describeFile(path: string, result: ToolResultPart | undefined): string {
  if (!result?.ok) return `I could not read \`${path}\`: ${result?.text ?? 'there was no answer.'}`;
  const lines = fileLines(result.text);
  return `\`${path}\` has ${plural(lines.length, 'line')}:\n\n${fence(lines.join('\n'), path)}`;
}

const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

function contentOf(path: string, wanted: string): string {
  const [, count = '', text] = /^(?:(\w+) lines?|(.*))$/is.exec(wanted.trim()) ?? [];
  const lines = NUMBERS.indexOf(count.toLowerCase());
  if (text === undefined) return numberedLines(lines >= 0 ? lines : Math.min(Number(count) || 1, 10_000), basename(path));
  return text === '' ? numberedLines(1, basename(path)) : `${bare(text).replaceAll('\\n', '\n')}\n`;
}
