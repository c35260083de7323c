// UserError: a mistake that a sentence can explain. Shown without a stack; anything else that is thrown is a bug.

export class UserError extends Error {
  readonly hint: string | undefined;

  /** `message` says what is wrong and where, `hint` what to do about it. */
  constructor(message: string, hint?: string) {
    super(message);
    this.name = 'UserError';
    this.hint = hint;
  }

  /** Both sentences as one text. */
  get text(): string {
    return this.hint === undefined ? this.message : `${this.message} ${this.hint}`;
  }
}

/** The sentence of anything that was thrown. */
export function sentenceOf(error: unknown): string {
  if (error instanceof UserError) return error.text;
  return error instanceof Error ? error.message : String(error);
}
