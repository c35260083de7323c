// /doctor and `mewcode doctor`: what works here and what does not, a line each.
import type { Check, Command } from '../types/command.ts';

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check terminal, configuration, keys, providers, git, sandbox',
  where: 'chat',
  whileBusy: true,
  async run(app) {
    const checks = await app.examine();
    return { view: { type: 'text', text: doctorText(checks) } };
  },
};

/** One line a check, continued lines indented, and last how many failed. */
export function doctorText(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ what }) => what.length));
  const lines = checks.map(({ level, what, text, hint }) => {
    const said = [text.replaceAll('\n', `\n${' '.repeat(width + 8)}`), ...(hint === undefined ? [] : [hint])].join(/[.!?]$/.test(text) ? ' ' : '. ');
    return `${level.padEnd(4)}  ${what.padEnd(width)}  ${said}`;
  });
  const failed = checks.filter(({ level }) => level === 'fail').length;
  return [...lines, failed === 0 ? 'Everything needed works.' : `${failed} of ${checks.length} failed.`].join('\n');
}

/** 1 where something failed. */
export const doctorCode = (checks: readonly Check[]): number => (checks.some(({ level }) => level === 'fail') ? 1 : 0);
