import { Counter, Gauge, type Metric, Registry } from 'prom-client';
import type { ThreadFigures } from '../app/app.ts';
import type { FrameFanout } from './frame-fanout.ts';
import type { Answered } from './kernel/exchange.ts';
import { PlainHistogram } from './plain-histogram.ts';

const PREFIX = 'motion_studio_';

/** The metrics of `/metrics`. Names, units and labels follow the conventions of Prometheus. Labels never contain names
 *  chosen by users. */
export class Metrics {
  readonly #registry = new Registry();
  /** number of answered requests by route, method and status */
  readonly #counts = new Map<string, Map<string, Map<number, number>>>();
  readonly #durations: PlainHistogram;
  readonly #loops: PlainHistogram;
  readonly #delays: PlainHistogram;
  readonly #intervals: PlainHistogram;
  /** the last sent frame and when it was published */
  readonly #last = { seq: 0, publishedMs: 0 };

  constructor(version: string) {
    const registers = [this.#registry];
    const counts = this.#counts;
    new Counter({
      name: `${PREFIX}http_requests_total`,
      help: 'Answered HTTP requests; code 0: the client had disconnected',
      labelNames: ['method', 'route', 'code'],
      registers,
      // Count in plain maps and copy on collect: a labelled counter takes a tenth of the time of a request.
      collect() {
        this.reset();
        for (const [route, methods] of counts) {
          for (const [method, codes] of methods) {
            for (const [code, count] of codes) this.inc({ method, route, code }, count);
          }
        }
      },
    });
    this.#durations = this.#histogram(
      'http_request_duration_seconds',
      'Time from request to answer',
      [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30],
    );
    const frameBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.033, 0.1];
    this.#loops = this.#histogram(
      'ws_send_loop_seconds',
      'Time to send one frame to every client with credit',
      frameBuckets,
    );
    this.#delays = this.#histogram(
      'ws_frame_delay_seconds',
      'Time from publishing a frame in the simulation to the start of sending it',
      frameBuckets,
    );
    this.#intervals = this.#histogram(
      'sim_frame_interval_seconds',
      'Time between two frames published by the simulation; an unchanged scene publishes one per second',
      [0.004, 0.008, 0.012, 0.016, 0.018, 0.02, 0.025, 0.033, 0.05, 0.1, 0.25, 0.5, 0.9, 1.1, 2],
    );
    new Gauge({
      name: `${PREFIX}build_info`,
      help: 'Version of the service and of Node; the value is 1',
      labelNames: ['version', 'node'],
      registers,
    }).set({ version, node: process.versions.node }, 1);
    this.#measure('process_cpu_seconds', 'CPU time of the process', () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    });
    this.#measure('process_resident_memory_bytes', 'Memory of the process', () => process.memoryUsage.rss());
    this.#measure('process_uptime_seconds', 'Time since the start of the process', () => process.uptime());
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  readonly requestAnswered = (method: string, route: string, { status, ms }: Answered): void => {
    const codes = within(within(this.#counts, route), method);
    codes.set(status, (codes.get(status) ?? 0) + 1);
    this.#durations.observe(ms / 1e3);
  };

  readonly frameSent = (loopMs: number, delayMs: number, seq: number, publishedMs: number): void => {
    this.#loops.observe(loopMs / 1e3);
    this.#delays.observe(delayMs / 1e3);
    const last = this.#last;
    // If a frame was skipped, the interval is unknown, because the time of the skipped frame is not available.
    if (seq === last.seq + 1 && last.seq > 0) this.#intervals.observe((publishedMs - last.publishedMs) / 1e3);
    last.seq = seq;
    last.publishedMs = publishedMs;
  };

  /** Adds the metrics of the threads. @param read called on each collection */
  watchThreads(read: () => ThreadFigures): void {
    this.#count('sim_frames_total', 'Frames published by the simulation', () => read().sim.frames);
    this.#count('sim_restarts_total', 'Crashed simulation threads that were replaced', () => read().sim.restarts);
    for (const [name, what] of [
      ['pool', 'the pool'],
      ['listing', 'the listing thread'],
    ] as const) {
      const figures = () => read()[name];
      this.#measure(`${name}_threads`, `Running threads of ${what}`, () => figures().threads);
      this.#measure(`${name}_threads_limit`, `Largest number of threads of ${what}`, () => figures().limit);
      this.#measure(`${name}_tasks_running`, `Running tasks of ${what}`, () => figures().running);
      this.#measure(`${name}_tasks_queued`, `Queued tasks of ${what}`, () => figures().queued);
      this.#count(`${name}_tasks_completed_total`, `Ended tasks of ${what}`, () => figures().completed);
      this.#count(
        `${name}_tasks_timeouts_total`,
        `Tasks of ${what} that exceeded their time limit`,
        () => figures().timeouts,
      );
      this.#count(
        `${name}_tasks_out_of_memory_total`,
        `Tasks of ${what} that exceeded the memory limit of a thread`,
        () => figures().outOfMemory,
      );
    }
  }

  /** Adds the metrics of the stream. @param clients returns the number of open websockets */
  watchStream(fanout: FrameFanout, clients: () => number): void {
    const { totals } = fanout;
    this.#measure('ws_clients', 'Connected websocket clients', clients);
    this.#count('ws_frames_sent_total', 'Frames sent', () => totals.frames);
    this.#count('ws_sent_bytes_total', 'Bytes of frames sent', () => totals.bytes);
    this.#count(
      'ws_frames_dropped_total',
      'Frames replaced by a newer one before the client had credit',
      () => totals.superseded,
    );
    const registers = [this.#registry];
    const labelNames = ['client'];
    new Gauge({
      name: `${PREFIX}ws_client_frames_sent`,
      help: 'Frames sent to a connected client',
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const { id, frames } of fanout.clients) this.set({ client: id }, frames);
      },
    });
    new Gauge({
      name: `${PREFIX}ws_client_frames_dropped`,
      help: 'Frames replaced by a newer one for a connected client',
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const { id, superseded } of fanout.clients) this.set({ client: id }, superseded);
      },
    });
    new Gauge({
      name: `${PREFIX}ws_client_frames_unconfirmed`,
      help: 'Frames sent to a connected client and not yet confirmed',
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const { id, credit } of fanout.clients) this.set({ client: id }, credit.unconfirmed);
      },
    });
  }

  #histogram(name: string, help: string, bounds: readonly number[]): PlainHistogram {
    const histogram = new PlainHistogram(PREFIX + name, help, bounds);
    // A registry only calls `get` of a metric. Its declared class has more methods, which the registry does not use.
    this.#registry.registerMetric(histogram as unknown as Metric<string>);
    return histogram;
  }

  #measure(name: string, help: string, read: () => number): void {
    new Gauge({
      name: PREFIX + name,
      help,
      registers: [this.#registry],
      collect() {
        this.set(read());
      },
    });
  }

  #count(name: string, help: string, read: () => number): void {
    new Counter({
      name: PREFIX + name,
      help,
      registers: [this.#registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }
}

/** Returns the map at `key`; creates it if missing. */
function within<K, L, V>(maps: Map<K, Map<L, V>>, key: K): Map<L, V> {
  const found = maps.get(key);
  if (found) return found;
  const made = new Map<L, V>();
  maps.set(key, made);
  return made;
}
