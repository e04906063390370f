import type { ErrorCode } from '../protocol/errors.ts';

/** An error that a person can act on. Its code decides the HTTP status; its message is the `detail` of the response.
 *  Any other error is a bug: it is logged in full, and the response is a 500 without its text. */
export class StudioError extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = 'StudioError';
    this.code = code;
  }
}

export function badInput(detail: string): StudioError {
  return new StudioError('bad_input', detail);
}

/** Returns the text of any thrown value, for messages and logs. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Makes the compiler check that a `switch` over a union handles all members. */
export function unreachable(value: never): never {
  throw new Error(`unexpected ${JSON.stringify(value)}`);
}
