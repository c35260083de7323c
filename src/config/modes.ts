// The permission modes that a file or a flag may name.

export const modeNames = ['default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk', 'custom'] as const;
