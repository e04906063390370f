import type { RouteKey } from '../../src/protocol/http-client.ts';
import type { call as Call } from '../../web/src/net/api.ts';

type Answer = (input: { readonly query?: Record<string, unknown>; readonly body?: Record<string, unknown> }) => unknown;

/** The page's `call`, answered by functions of the test instead of a service. */
export interface Answers {
  readonly call: typeof Call;
  /** method and path of every call so far, oldest first */
  readonly calls: RouteKey[];
}

/** @param answers by method and path; a call without an answer fails, as with a status of 404 */
export function answering(answers: Partial<Record<RouteKey, Answer>>): Answers {
  const calls: RouteKey[] = [];
  const call = async (key: RouteKey, input: Parameters<Answer>[0] = {}) => {
    calls.push(key);
    const answer = answers[key];
    if (answer === undefined) throw new Error(`${key} is not answered`);
    return answer(input);
  };
  return { call: call as typeof Call, calls };
}

/** Lets all settled promises continue. */
export async function settled(): Promise<void> {
  for (let k = 0; k < 10; k++) await Promise.resolve();
}
