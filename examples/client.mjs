import { setTimeout as sleep } from 'node:timers/promises';

const ENDED = ['done', 'failed', 'stopped', 'lost'];

/** Calls the service at `url`. @param waitS seconds, at most 60, that an answer may wait for the end of a slow action */
export function connect(url, { waitS = 60 } = {}) {
  /** One call. A slow action is waited for, however long it takes.
   *  @returns the answer's JSON, or its bytes
   *  @throws where the call is refused, or its task fails or is superseded by another client */
  async function call(method, path, body, headers = {}) {
    const isFile = body instanceof Uint8Array;
    const response = await fetch(url + path, {
      method,
      headers: { ...(isFile ? {} : { 'content-type': 'application/json' }), prefer: `wait=${waitS}`, ...headers },
      ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
    });
    const type = response.headers.get('content-type') ?? '';
    const answer = type.includes('json') ? await response.json() : new Uint8Array(await response.arrayBuffer());
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.detail}`);
    // A task that fails is answered 200: its state says so.
    if (answer.busy) {
      answer.busy = await taskEnded(answer.busy);
      if (answer.busy.state !== 'done')
        throw new Error(`${method} ${path}: ${answer.busy.error ?? answer.busy.state}`);
    }
    return answer;
  }

  /** The task's state once it has ended: the wait may have been over first. */
  async function taskEnded(busy) {
    let state = busy;
    while (state.state === 'running') {
      await sleep(200);
      const { active, recent } = await call('GET', '/api/busy');
      state = [...active, ...recent].find(({ task }) => task === busy.task);
      if (state === undefined) throw new Error(`the service does not know the task ${busy.task} any more`);
    }
    return state;
  }

  /** Waits until a job has ended. @param report gets its state once a second @throws unless it is done */
  async function finished(job, report = () => {}) {
    for (;;) {
      const state = await call('GET', `/api/jobs/${job}?tail=5`);
      report(state);
      if (state.status === 'done') return state;
      if (ENDED.includes(state.status))
        throw new Error(`${job} ${state.status}: ${state.error}\n${state.log.join('\n')}`);
      await sleep(1000);
    }
  }

  return { call, finished };
}
