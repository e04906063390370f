import { detailIn, ReplyError, urlOf } from '../http-client.ts';
import { connectLive, type Live, type LiveListeners, type SocketConstructor } from './live.ts';
import { type ApiRequest, type Busy, type CallOptions, type GetJobReply, StudioApi } from './studio-api.ts';

export type { StudioEvent } from '../events.ts';
export type { Frame } from '../frame.ts';
export { ReplyError } from '../http-client.ts';
export type { Live, LiveListeners } from './live.ts';
export type * from './studio-api.ts';

/** Seconds for which one request waits for a task to end: the maximum that the service allows. */
const WAIT_S = 60;
/** First and longest pause between two polls of a task or a job, ms. */
const PAUSES_MS = { first: 50, longest: 1000 };

export interface MotionStudioOptions {
  /** address of the service (default `http://127.0.0.1:8765`) */
  readonly url?: string;
  /** The token that the service was started with: `--token` or `--view-token`. */
  readonly token?: string;
  /** WebSocket class for the stream of frames and events. Node has a global one from version 22 on. For older versions
   *  pass the class of the package `ws`. */
  readonly WebSocket?: SocketConstructor;
}

export interface JobOptions {
  readonly signal?: AbortSignal;
  /** called about once a second with the state of the job */
  readonly report?: (job: GetJobReply) => void;
}

/** Thrown when a slow action failed or a later action of another client superseded it. */
export class TaskFailed extends Error {
  override readonly name = 'TaskFailed';
  readonly busy: Busy;

  constructor(busy: Busy) {
    super(busy.error ?? `${busy.task} ${busy.state}`);
    this.busy = busy;
  }
}

/** Thrown when a job failed, was stopped or is lost. */
export class JobFailed extends Error {
  override readonly name = 'JobFailed';
  /** last state of the job, with the end of its log */
  readonly job: GetJobReply;

  constructor(job: GetJobReply) {
    super([`${job.name} ${job.status}: ${job.error ?? ''}`, ...job.log].join('\n'));
    this.job = job;
  }
}

/** Calls a running service: one method for each operation of its HTTP API. Methods of slow actions wait until their
 *  task ends, unless the options contain `wait: false`. Each method throws a ReplyError if the service refuses the
 *  request, and a TaskFailed if its task fails. For browsers and Node. */
export class MotionStudio extends StudioApi {
  readonly #options: MotionStudioOptions;
  readonly #base: string;
  #clientId: string | null = null;

  constructor(options: MotionStudioOptions = {}) {
    super();
    this.#options = options;
    this.#base = `${(options.url ?? 'http://127.0.0.1:8765').replace(/\/$/, '')}/`;
  }

  /** Opens the stream of frames and events. Later requests carry the id of this client, so that events name it.
   *  @throws ReplyError if the service refuses the connection */
  async live(listeners: LiveListeners): Promise<Live> {
    const { WebSocket } = this.#options;
    const connect = {
      url: `${this.#base.replace(/^http/, 'ws')}ws`,
      headers: this.#headers(),
      ...(WebSocket ? { WebSocket } : {}),
    };
    const live = await connectLive(connect, listeners);
    this.#clientId = live.client.id;
    return live;
  }

  /** Waits until the task of a slow action ends. @throws TaskFailed if the task failed or was superseded */
  async waitForTask(task: string, { signal }: Pick<CallOptions, 'signal'> = {}): Promise<Busy> {
    for (let pause = PAUSES_MS.first; ; pause = Math.min(PAUSES_MS.longest, 1.5 * pause)) {
      const { active, recent } = await this.listBusyTasks(signal ? { signal } : {});
      const busy = [...active, ...recent].find((one) => one.task === task);
      if (!busy)
        throw new ReplyError(404, `task: unknown task ${task}. The service keeps only the last 50 tasks that ended.`);
      if (busy.state === 'done') return busy;
      if (busy.state !== 'running') throw new TaskFailed(busy);
      await afterMs(pause, signal);
    }
  }

  /** Waits until a job ends and returns its last state. @throws JobFailed if the job failed, was stopped or is lost */
  async waitForJob(name: string, { signal, report }: JobOptions = {}): Promise<GetJobReply> {
    for (let pause = PAUSES_MS.first; ; pause = Math.min(PAUSES_MS.longest, 1.5 * pause)) {
      const job = await this.getJob({ name, tail: 10 }, signal ? { signal } : {});
      report?.(job);
      if (job.status === 'done') return job;
      if (job.status === 'failed' || job.status === 'stopped' || job.status === 'lost') throw new JobFailed(job);
      await afterMs(pause, signal);
    }
  }

  protected override async json(request: ApiRequest, options: CallOptions = {}): Promise<unknown> {
    const reply = (await (await this.send(request, options)).json()) as { task?: string; busy?: Busy };
    if (!request.slow || options.wait === false || reply.task === undefined) return reply;
    const known = reply.busy;
    const busy = known && known.state !== 'running' ? known : await this.waitForTask(reply.task, options);
    if (busy.state !== 'done') throw new TaskFailed(busy);
    return { ...reply, busy };
  }

  protected override async send(request: ApiRequest, options: CallOptions = {}): Promise<Response> {
    const { method, path, params = {}, query = {}, body, upload, slow } = request;
    const waits = slow && options.wait !== false;
    const headers: Record<string, string> = {
      ...this.#headers(),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(upload === undefined ? {} : { 'content-type': 'application/octet-stream' }),
      ...(waits ? { prefer: `wait=${WAIT_S}` } : {}),
      ...(this.#clientId === null ? {} : { 'x-client-id': this.#clientId }),
    };
    const init = {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
      // fetch requires `duplex` for a body that is a stream
      ...(upload === undefined ? {} : { body: upload as RequestInit['body'], duplex: 'half' }),
      ...(options.signal ? { signal: options.signal } : {}),
    } as RequestInit;
    const url = this.#base + urlOf(`${method} ${path}`, params, query as Readonly<Record<string, unknown>>);
    let response: Response;
    try {
      response = await fetch(url, init);
    } catch (error) {
      if (options.signal?.aborted) throw error;
      throw new ReplyError(0, `${this.#base} does not answer. Check that the service runs.`, error);
    }
    if (response.ok) return response;
    throw new ReplyError(response.status, detailIn(await response.text(), String(response.status)));
  }

  #headers(): Record<string, string> {
    const { token } = this.#options;
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  }
}

function afterMs(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}
