import { actAs } from '../../core/actor.ts';
import { StudioError } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import type { Logger } from '../../core/logger.ts';
import type { RouteSpec } from '../../protocol/route.ts';
import type { Busy } from '../../protocol/schemas/busy.ts';
import type { Access } from '../access/access.ts';
import type { Refused } from '../refusal-log.ts';
import type { Transport, TransportRequest, TransportResponse } from '../transport/transport.ts';
import { Deadline } from './deadline.ts';
import { type Answered, Exchange, type Headers } from './exchange.ts';
import { failureOf } from './failure.ts';
import type { Content, Handler } from './handler.ts';
import { parseJsonBody, readJsonBytes } from './json-body.ts';
import { CheckedCall, type MountedRoute, mountRoute, rawCall } from './mounted-route.ts';
import { Negotiation } from './negotiation.ts';
import { Replies } from './replies.ts';
import type { RequestContext } from './request-context.ts';
import { Router } from './router.ts';
import { tooLarge, UploadStream } from './upload-stream.ts';

const DEADLINE_S = 30;
const ERROR_HEADERS: Headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
const SHUTTING_DOWN = new StudioError('unavailable', 'the service is shutting down');

export interface KernelLimits {
  readonly jsonBytes: number;
  readonly uploadBytes: number;
}

/** Files that are served beside the routes, such as the scripts of the page. */
export interface Files {
  has(path: string): boolean;
  /** Answers GET or HEAD of a path for which `has` is true. Call it before the handler's first `await`. */
  answer(path: string, exchange: Exchange, request: TransportRequest): void;
}

export interface KernelOptions<C> {
  readonly routes: readonly RouteSpec[];
  readonly handlers: readonly Handler<C>[];
  /** the application that handlers call */
  readonly context: C;
  readonly access: Access;
  readonly limits: KernelLimits;
  readonly logger: Logger;
  readonly files?: Files;
  /** Called before each action. Returns why no action is possible now, such as a missing workspace; else null. */
  readonly unavailable?: () => StudioError | null;
  /** Verifies `X-Client-Id`: returns the id if a client with this id is connected, otherwise null. */
  readonly knownClient?: (id: string) => string | null;
  /** Waits at most `seconds` for the end of a slow action (`Prefer: wait`). */
  readonly waitForTask?: (task: string, seconds: number) => Promise<Busy | null>;
  /** Called after every answer. @param path of the contract, '' when no route matched */
  readonly onAnswered?: (method: string, path: string, answered: Answered) => void;
  /** Called for every request that is answered with an error. */
  readonly onRefused?: (refused: Refused) => void;
}

/** A running handler. */
interface Work {
  readonly result: Promise<unknown>;
  readonly deadline: Deadline;
}

/** Processes every HTTP request: access checks, limits, schemas, handler, and exactly one answer. Everything derives
 *  from the contracts in `protocol/routes`. */
export class Kernel<C> {
  readonly #options: KernelOptions<C>;
  readonly #router: Router<MountedRoute<C>>;
  readonly #replies = new Replies();
  readonly #stopped: Promise<void>;
  #announceStop: () => void = () => {};
  #stopping = false;
  #running = 0;
  #onIdle: () => void = () => {};

  constructor(options: KernelOptions<C>) {
    this.#options = options;
    const handlers = new Map(options.handlers.map((handler) => [handler.contract, handler]));
    const routes = options.routes.map((spec) => {
      const handler = handlers.get(spec);
      if (!handler) throw new Error(`${spec.method} ${spec.path} has no handler`);
      return mountRoute(spec, handler, (answered, exchange) =>
        this.#answered(spec.method, spec.path, answered, exchange),
      );
    });
    this.#router = new Router(routes);
    this.#stopped = new Promise((resolve) => {
      this.#announceStop = resolve;
    });
  }

  mount(transport: Transport): void {
    transport.onRequest((request, response) => {
      const route = this.#router.find(request.method, request.path);
      if (route) this.#serve(route, response, request);
      else this.#serveOther(response, request);
    });
  }

  /** Refuses new actions, answers requests that wait for a task, and settles when the last handler has ended. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#announceStop();
    if (this.#running === 0) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
  }

  #serve(route: MountedRoute<C>, response: TransportResponse, request: TransportRequest): void {
    const exchange = new Exchange(response, request, route.onAnswered);
    try {
      const { handler, spec } = route;
      const { access } = this.#options;
      const refusal = access.refusal(response, request, route.intent);
      if (refusal) {
        this.#refuse(exchange, refusal);
        return;
      }
      if (this.#stopping && spec.method !== 'GET') throw SHUTTING_DOWN;
      const problem = spec.method === 'GET' ? null : this.#options.unavailable?.();
      if (problem) throw problem;
      const negotiation = new Negotiation(access, response, request);
      const raw = rawCall(route, request, {
        isThisMachine: () => access.isThisMachine(response, request),
        isViewer: () => access.isViewer(request),
      });
      const actor = spec.method === 'GET' ? null : this.#actor(request);
      this.#begin({ route, exchange, negotiation, raw, actor }, request);
      if (exchange.open) negotiation.keep(handler.kind === 'download');
    } catch (error) {
      this.#fail(exchange, error);
    }
  }

  /** Returns the id in `X-Client-Id` if that client is connected, otherwise null. */
  #actor(request: TransportRequest): string | null {
    const id = request.header('x-client-id');
    return id === '' ? null : (this.#options.knownClient?.(id) ?? null);
  }

  #begin(context: RequestContext<C>, request: TransportRequest): void {
    const { spec, handler } = context.route;
    if (handler.kind === 'upload') this.#serveUpload(context, request);
    else if (handler.kind === 'file') this.#serveFile(context, request);
    else if (spec.body) this.#serveBody(context, request);
    else this.#run(context, {});
  }

  #serveBody(context: RequestContext<C>, request: TransportRequest): void {
    const { exchange } = context;
    const limit = { bytes: this.#options.limits.jsonBytes, remedy: context.route.spec.insteadOfLarge };
    readJsonBytes(exchange.response, request, limit, (bytes, error) => {
      try {
        if (error) throw error;
        this.#run(context, parseJsonBody(bytes));
      } catch (problem) {
        this.#fail(exchange, problem);
      }
    });
  }

  #run(context: RequestContext<C>, body: unknown): void {
    const { route, exchange, raw } = context;
    const { handler } = route;
    const call = new CheckedCall(route, raw, body);
    const run = () => handler.run(this.#options.context, call, null);
    const result = context.actor === null ? run() : actAs(context.actor, run);
    if (result instanceof Promise || raw.waitS !== null) {
      const deadline = this.#deadline(context, call);
      deadline.start();
      void this.#settle(context, call, { result: Promise.resolve(result), deadline });
      return;
    }
    const sending = this.#replies.send(context, handler.kind, result);
    sending?.catch((error: unknown) => this.#fail(exchange, error));
  }

  #serveFile(context: RequestContext<C>, request: TransportRequest): void {
    const { route, exchange, raw } = context;
    const { context: application, files } = this.#options;
    const found = route.handler.run(application, new CheckedCall(route, raw, {}), null) as Content | string;
    if (typeof found !== 'string') this.#replies.send(context, 'content', found);
    else if (files?.has(found)) files.answer(found, exchange, request);
    else throw new StudioError('unavailable', `${found} is missing. Run "npm run build" to build the page.`);
  }

  #serveUpload(context: RequestContext<C>, request: TransportRequest): void {
    const { route, exchange, raw } = context;
    const limit = this.#options.limits.uploadBytes;
    if (Number(request.header('content-length')) > limit) throw tooLarge(limit);
    const call = new CheckedCall(route, raw, {});
    const deadline = this.#deadline(context, call);
    // The deadline starts after the last byte, so an upload may take any time.
    const stream = new UploadStream(exchange.response, limit, () => deadline.start());
    exchange.onGone(() => stream.abandon());
    exchange.beforeAnswer(() => stream.finish());
    const run = () => route.handler.run(this.#options.context, call, stream);
    const result = Promise.resolve(actAs(context.actor, run));
    void this.#settle(context, call, { result, deadline });
  }

  /** Runs the handler and sends its result as the answer. Never rejects. */
  async #settle(context: RequestContext<C>, call: CheckedCall, work: Work): Promise<void> {
    const { route, exchange, raw } = context;
    const { kind } = route.handler;
    const { result, deadline } = work;
    this.#running += 1;
    exchange.onGone(() => call.abort());
    try {
      const reply = await result;
      deadline.stop();
      if (raw.waitS === null) await this.#replies.send(context, kind, reply);
      else {
        const waited = await this.#withBusy(reply, raw.waitS);
        const headers = { 'preference-applied': `wait=${raw.waitS}` };
        await this.#replies.send(context, kind, waited, headers);
      }
    } catch (error) {
      this.#fail(exchange, error);
    } finally {
      deadline.stop();
      this.#running -= 1;
      if (this.#running === 0) this.#onIdle();
    }
  }

  /** Adds the state of the task to the answer of a slow action, once the task has ended or `seconds` have passed. */
  async #withBusy(reply: unknown, seconds: number): Promise<unknown> {
    const { waitForTask } = this.#options;
    const task = reply instanceof Object && 'task' in reply ? reply.task : undefined;
    if (typeof task !== 'string' || !waitForTask) return reply;
    const ended = await Promise.race([waitForTask(task, seconds), this.#stopped]);
    const busy = ended ?? (await waitForTask(task, 0));
    return busy ? { ...(reply as object), busy } : reply;
  }

  #deadline({ route, exchange }: RequestContext<C>, call: CheckedCall): Deadline {
    const seconds = route.spec.deadlineS ?? DEADLINE_S;
    return new Deadline(seconds, () => {
      call.abort();
      const detail = `timed out after ${seconds} s; the action was rolled back`;
      this.#fail(exchange, new StudioError('unavailable', detail));
    });
  }

  /** Answers a path or method without a route: a file, OPTIONS, 404 or 405. */
  #serveOther(response: TransportResponse, request: TransportRequest): void {
    const exchange = new Exchange(response, request, this.#otherAnswered);
    const { method } = request;
    try {
      const isRead = method === 'GET' || method === 'HEAD';
      const refusal = this.#options.access.refusal(response, request, isRead ? 'read' : 'act');
      if (refusal) {
        this.#refuse(exchange, refusal);
        return;
      }
      const path = request.path;
      const file = this.#options.files?.has(path) ?? false;
      const allowed = this.#allowed(path, file);
      if (allowed.length === 0) {
        const shown = quoteName(path);
        throw new StudioError('not_found', `unknown path ${shown}. GET /api/docs lists the paths.`);
      }
      const allow = { allow: [...allowed, 'OPTIONS'].join(', ') };
      if (method === 'OPTIONS') exchange.answer(204, allow, '');
      else if (file && isRead) this.#options.files?.answer(path, exchange, request);
      else {
        const detail = `method ${quoteName(method)} is not allowed here. Allowed: ${allowed.join(', ')}.`;
        this.#fail(exchange, new StudioError('method_not_allowed', detail), allow);
      }
    } catch (error) {
      this.#fail(exchange, error);
    }
  }

  #allowed(path: string, file: boolean): string[] {
    const methods = file ? ['GET', 'HEAD'] : [];
    return [...new Set([...methods, ...this.#router.methodsOf(path)])];
  }

  #refuse(exchange: Exchange, refusal: StudioError): void {
    this.#options.access.whenDue(refusal, exchange, () => this.#fail(exchange, refusal));
  }

  #fail(exchange: Exchange, error: unknown, headers: Headers = {}): void {
    let failure = failureOf(error, exchange.id);
    // If the workspace has disappeared, report that instead of a bug.
    const problem = failure.bug ? this.#options.unavailable?.() : null;
    if (problem) failure = failureOf(problem, exchange.id);
    if (failure.bug && !isAbort(error))
      this.#options.logger.error({ err: error, request: exchange.id }, 'a request failed because of a bug');
    if (!exchange.open) return;
    // The transport knows the client's address only until the request is answered.
    exchange.failure = { detail: failure.body.detail, peer: exchange.response.peer };
    const all = { ...ERROR_HEADERS, ...failure.headers, ...headers };
    exchange.answer(failure.status, all, JSON.stringify(failure.body));
  }

  readonly #otherAnswered = (answered: Answered, exchange: Exchange) => this.#answered('', '', answered, exchange);

  #answered(method: string, path: string, answered: Answered, exchange: Exchange): void {
    this.#options.onAnswered?.(method, path, answered);
    const { status, bytes, ms } = answered;
    const { failure } = exchange;
    if (failure !== null)
      this.#options.onRefused?.({ method: exchange.method, path: exchange.path, route: path, status, ...failure });
    this.#options.logger.debug({ request: exchange.id, method, path, status, bytes, ms }, 'answered');
  }
}

/** Whether a handler ended because its signal aborted. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
