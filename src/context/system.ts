// Joins the sections to the system prompt, in the order of their priority.
import { sections, type Section, type SystemInput } from './sections.ts';

/** The system prompt as its sections' texts; empty ones are left out. Extensions hand in `more`. */
export function renderSystem(input: SystemInput, more: readonly Section[] = []): string[] {
  return [...sections, ...more]
    .toSorted((a, b) => a.priority - b.priority)
    .map((section) => section.render(input))
    .filter((text) => text !== '');
}
