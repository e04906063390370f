import { StudioError } from '../../core/errors.ts';
import { type ErrorBody, STATUS } from '../../protocol/errors.ts';
import type { Headers } from './exchange.ts';

export interface Failure {
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Headers;
  /** An unexpected error: the log gets its details, the client does not. */
  readonly bug: boolean;
}

const NO_HEADERS: Headers = {};
/** Headers that HTTP requires for a status. */
const HEADERS: Readonly<Partial<Record<number, Headers>>> = {
  401: { 'www-authenticate': 'Bearer realm="motion-studio"' },
  426: { upgrade: 'websocket' },
  503: { 'retry-after': '1' },
};

/** Maps any thrown value to the answer for the client. @param id of the request, with which the details are found in
 *  the log */
export function failureOf(error: unknown, id: string): Failure {
  const known = error instanceof StudioError ? error : diskFull(error);
  if (known === null || known.code === 'internal') {
    const detail = `internal error. The service log has the details under request ${id}`;
    return { status: STATUS.internal, body: { detail }, headers: NO_HEADERS, bug: true };
  }
  const status = STATUS[known.code];
  return { status, body: { detail: known.message }, headers: HEADERS[status] ?? NO_HEADERS, bug: false };
}

function diskFull(error: unknown): StudioError | null {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return null;
  return new StudioError('disk_full', 'the disk is full. Free some space and try again', { cause: error });
}
