// Which agent an event belongs to.

/** The agent whose conversation the screen shows; subagents are `main/2` and so on. */
export const MAIN = 'main';
