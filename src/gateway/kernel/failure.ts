import { StudioError } from '../../core/errors.ts';
import { type ErrorBody, STATUS } from '../../protocol/errors.ts';
import type { Headers } from './exchange.ts';

export interface Failure {
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Headers;
  /** Nobody expected it: the log gets all of it, the client nothing. */
  readonly bug: boolean;
}

const NO_HEADERS: Headers = {};
/** What HTTP asks for beside the status. */
const HEADERS: Readonly<Partial<Record<number, Headers>>> = {
  401: { 'www-authenticate': 'Bearer realm="motion-studio"' },
  426: { upgrade: 'websocket' },
  503: { 'retry-after': '1' },
};

/** What a client is told of anything thrown. @param id the request's, by which the log is searched */
export function failureOf(error: unknown, id: string): Failure {
  const known = error instanceof StudioError ? error : diskFull(error);
  if (known === null || known.code === 'internal') {
    const detail = `internal error: the service log has more under request ${id}`;
    return { status: STATUS.internal, body: { detail }, headers: NO_HEADERS, bug: true };
  }
  const status = STATUS[known.code];
  return { status, body: { detail: known.message }, headers: HEADERS[status] ?? NO_HEADERS, bug: false };
}

function diskFull(error: unknown): StudioError | null {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return null;
  return new StudioError('disk_full', 'the disk is full: make room and try again', { cause: error });
}
