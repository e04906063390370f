import { Counter, Gauge, type Metric, Registry } from 'prom-client';
import type { ThreadFigures } from '../app/app.ts';
import type { FrameFanout } from './frame-fanout.ts';
import type { Answered } from './kernel/exchange.ts';
import { PlainHistogram } from './plain-histogram.ts';

const PREFIX = 'motion_studio_';

/** The figures of `/metrics`. Names, units and labels follow the conventions of Prometheus; no label holds a name that a
 *  user gave. */
export class Metrics {
  readonly #registry = new Registry();
  /** requests answered by route, method and status */
  readonly #counts = new Map<string, Map<string, Map<number, number>>>();
  readonly #durations: PlainHistogram;
  readonly #loops: PlainHistogram;
  readonly #delays: PlainHistogram;
  readonly #intervals: PlainHistogram;
  /** the frame that was sent last, and when it was published */
  readonly #last = { seq: 0, publishedMs: 0 };

  constructor(version: string) {
    const registers = [this.#registry];
    const counts = this.#counts;
    new Counter({
      name: `${PREFIX}http_requests_total`,
      help: 'HTTP requests answered; code 0: the client had gone',
      labelNames: ['method', 'route', 'code'],
      registers,
      // Counted in plain maps and handed over when asked: a labelled counter costs a request a tenth of its time.
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
      'From the request to its answer',
      [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30],
    );
    const frameBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.033, 0.1];
    this.#loops = this.#histogram(
      'ws_send_loop_seconds',
      'Time to send one frame to every client that can take it',
      frameBuckets,
    );
    this.#delays = this.#histogram(
      'ws_frame_delay_seconds',
      'From the publishing of a frame by the simulation to the beginning of its sending',
      frameBuckets,
    );
    this.#intervals = this.#histogram(
      'sim_frame_interval_seconds',
      'Between the publishing of one frame by the simulation and of the next; a scene at rest has one a second',
      [0.004, 0.008, 0.012, 0.016, 0.018, 0.02, 0.025, 0.033, 0.05, 0.1, 0.25, 0.5, 0.9, 1.1, 2],
    );
    new Gauge({
      name: `${PREFIX}build_info`,
      help: 'What runs; the value is 1',
      labelNames: ['version', 'node'],
      registers,
    }).set({ version, node: process.versions.node }, 1);
    this.#measure('process_cpu_seconds', 'CPU time of the process', () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    });
    this.#measure('process_resident_memory_bytes', 'Memory of the process', () => process.memoryUsage.rss());
    this.#measure('process_uptime_seconds', 'Since the start of the process', () => process.uptime());
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
    // Of a frame that was replaced before it was seen here nobody knows the time.
    if (seq === last.seq + 1 && last.seq > 0) this.#intervals.observe((publishedMs - last.publishedMs) / 1e3);
    last.seq = seq;
    last.publishedMs = publishedMs;
  };

  /** Adds the figures of the threads. @param read called when the figures are asked for */
  watchThreads(read: () => ThreadFigures): void {
    this.#count('sim_frames_total', 'Frames published by the simulation', () => read().sim.frames);
    this.#count('sim_restarts_total', 'Simulation threads that died and were replaced', () => read().sim.restarts);
    for (const [name, what] of [
      ['pool', 'the pool'],
      ['listing', 'the thread for listings'],
    ] as const) {
      const figures = () => read()[name];
      this.#measure(`${name}_threads`, `Threads of ${what} that are alive`, () => figures().threads);
      this.#measure(`${name}_threads_limit`, `Most threads of ${what}`, () => figures().limit);
      this.#measure(`${name}_tasks_running`, `Tasks that ${what} works on`, () => figures().running);
      this.#measure(`${name}_tasks_queued`, `Tasks that wait for ${what}`, () => figures().queued);
      this.#count(`${name}_tasks_completed_total`, `Tasks that ${what} has ended`, () => figures().completed);
      this.#count(
        `${name}_tasks_timeouts_total`,
        `Tasks of ${what} that took longer than their limit`,
        () => figures().timeouts,
      );
      this.#count(
        `${name}_tasks_out_of_memory_total`,
        `Tasks of ${what} that took more memory than a thread may`,
        () => figures().outOfMemory,
      );
    }
  }

  /** Adds the figures of the stream. @param clients how many websockets are open */
  watchStream(fanout: FrameFanout, clients: () => number): void {
    const { totals } = fanout;
    this.#measure('ws_clients', 'Websocket clients', clients);
    this.#count('ws_frames_sent_total', 'Frames sent', () => totals.frames);
    this.#count('ws_sent_bytes_total', 'Bytes of frames sent', () => totals.bytes);
    this.#count(
      'ws_frames_dropped_total',
      'Frames that a newer one replaced before a client could take them',
      () => totals.superseded,
    );
    const registers = [this.#registry];
    const labelNames = ['client'];
    new Gauge({
      name: `${PREFIX}ws_client_frames_sent`,
      help: 'Frames sent to a client that is connected',
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const { id, frames } of fanout.clients) this.set({ client: id }, frames);
      },
    });
    new Gauge({
      name: `${PREFIX}ws_client_frames_dropped`,
      help: 'Frames that a newer one replaced for a client that is connected',
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const { id, superseded } of fanout.clients) this.set({ client: id }, superseded);
      },
    });
    new Gauge({
      name: `${PREFIX}ws_client_frames_unconfirmed`,
      help: 'Frames on their way to a client that is connected',
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
    // A registry asks a metric for its values and writes them; the class it expects has more that is not needed here.
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

/** The map at `key`, made when it is not there. */
function within<K, L, V>(maps: Map<K, Map<L, V>>, key: K): Map<L, V> {
  const found = maps.get(key);
  if (found) return found;
  const made = new Map<L, V>();
  maps.set(key, made);
  return made;
}
