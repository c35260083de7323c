// Which agent an event belongs to.

/** The agent whose conversation the screen shows; subagents are `main/2` and so on. */
export const MAIN = 'main';
/** Whose the calls are that the user makes. */
export const BY_HAND = 'you';
