// Blanks made visible in what a user is asked to allow: nothing may be pushed out of sight by them.

/* Up to 40 columns of indentation are a matter of course; in a diff they stand behind its mark. */
const INDENT = { text: /^[ \t]{0,40}/, diff: /^[+\- ]?[ \t]{0,40}/ } as const;

/** A longer run is counted instead of drawn. */
const MOST_DOTS = 8;

/** `text` with runs of blanks as dots, tabs inside a line as arrows and many empty lines as their number. In a diff no line is taken out. */
export function showBlanks(text: string, kind: keyof typeof INDENT): string {
  const lines = text.split('\n').map((line) => {
    const indent = INDENT[kind].exec(line)?.[0].length ?? 0;
    return line.slice(0, indent) + line.slice(indent).replaceAll('\t', '→').replace(/ {3,}/g, (run) => (run.length <= MOST_DOTS ? '·'.repeat(run.length) : `⟨${run.length} blanks⟩`));
  }).join('\n');
  return kind === 'diff' ? lines : lines.replace(/\n(?:[ \t]*\n){5,}/g, (run) => `\n⟨${run.split('\n').length - 2} empty lines⟩\n`);
}
