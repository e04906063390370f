import type { RouteSpec } from '../../src/protocol/route.ts';
import { fromDist } from './product.ts';

const { allRoutes } = await fromDist<typeof import('../../src/protocol/route-table.ts')>('protocol/route-table.js');

/** Names that requests use: only a few, so that requests collide. */
const DATASETS = ['samples', 'fuzz_a', 'fuzz_b', 'gone'];
const CLIPS = ['walk_forward', 'squat', 'one', 'two', 'three', 'none'];
const ROBOTS = ['humanoid', 'walker', 'walker_2', 'nobody'];
const PRESETS = ['soft', 'hard', 'absent'];
const RUNS = ['wbc_humanoid/first', 'no/run'];
const ODD = [
  '',
  ' ',
  '.',
  '..',
  '../../etc',
  '__proto__',
  'constructor',
  'a'.repeat(300),
  'ü🙂',
  '%00',
  'CON',
  '*',
  null,
];
/** Probability of calling routes that keep a thread busy for seconds. */
const HEAVY: Readonly<Record<string, number>> = {
  'POST /api/robots/import/inspect': 0.05,
  'POST /api/robots/import/check': 0.05,
  'POST /api/robots/import/save': 0.05,
  'POST /api/robots/import/path': 0.05,
  'POST /api/robot/select': 0.1,
  'POST /api/train/launch': 0.05,
  'POST /api/play/configure': 0.05,
  'POST /api/data/convert': 0.1,
  'POST /api/data/import': 0.1,
  'GET /api/plots/clip': 0.2,
  'GET /tensorboard': 0.05,
};
/** Time beyond the deadline of a route after which a request is treated as hung, s. Other processes may use the
 *  machine. */
const GRACE_S = 30;
const DEADLINE_S = 30;
const CLIP = '0,0,0.68,0,0,0,1';

const MODEL = `<mujoco model="walker"><worldbody><body name="trunk" pos="0 0 1"><freejoint/>
<geom type="box" size="0.1 0.1 0.2" mass="10"/>
<body name="left_foot" pos="0 0.1 -0.4"><joint name="left_hip_joint" axis="0 1 0" range="-1 1"/><geom type="box" size="0.1 0.04 0.02" mass="1"/></body>
<body name="right_foot" pos="0 -0.1 -0.4"><joint name="right_hip_joint" axis="0 1 0" range="-1 1"/><geom type="box" size="0.1 0.04 0.02" mass="1"/></body>
</body></worldbody></mujoco>`;

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Call {
  readonly method: string;
  readonly target: string;
  readonly body?: string;
  readonly deadlineS: number;
}

/** Sends random requests to all routes of a service. The same seed generates the same requests, but their order may
 *  differ between runs. */
export class ApiFuzzer {
  readonly statuses = new Map<number, number>();
  /** 500 answers, hangs and broken connections */
  readonly failures: { readonly request: string; readonly text: string }[] = [];
  readonly rows: number;
  sent = 0;
  hangs = 0;
  readonly #address: string;
  readonly #routes = allRoutes();
  readonly #races: readonly (() => Call)[];
  #state: number;
  /** number of joints of the built-in robot */
  #joints = 0;

  constructor(address: string, seed: number) {
    this.#address = address;
    this.#state = seed >>> 0;
    this.rows = this.#routes.length;
    const call = (method: string, target: string, body?: string): Call => ({
      method,
      target,
      deadlineS: DEADLINE_S,
      ...(body === undefined ? {} : { body }),
    });
    const dataset = () => this.#pick(['fuzz_a', 'fuzz_b']);
    const clip = () => this.#pick(['one', 'two', 'three']);
    const robot = () => this.#pick(['walker', 'walker_2']);
    const upload = () =>
      call(
        'PUT',
        `/api/data/upload/${dataset()}/${clip()}.${this.#pick(['csv', 'csv', 'csv', 'pkl', 'npz'])}`,
        this.#clip(),
      );
    const model = () =>
      call(
        'PUT',
        `/api/robots/import/upload/${robot()}/${this.#pick(['walker.xml', 'meshes/a.stl', 'b/c/d.txt'])}`,
        MODEL,
      );
    this.#races = [
      ...[upload, upload, upload, model, model],
      () => call('POST', '/api/data/new', JSON.stringify({ name: dataset() })),
      () => call('POST', '/api/data/new', JSON.stringify({ name: dataset() })),
      () => call('DELETE', `/api/data/datasets/${dataset()}`),
      () => call('DELETE', `/api/data/datasets/${dataset()}/clips/${clip()}`),
      () => call('GET', `/api/data/clips?dataset=${dataset()}`),
      () => call('GET', '/api/data/datasets'),
      () => call('GET', `/api/data/download?dataset=${dataset()}&clip=${clip()}`),
      () => call('POST', '/api/data/load', JSON.stringify({ dataset: dataset(), clip: clip() })),
      () => call('POST', '/api/data/scan', JSON.stringify({ dataset: dataset() })),
      () => call('POST', '/api/data/uploaded'),
      () => call('GET', '/api/robots/import'),
      () => call('GET', '/api/robots/import'),
      () => call('GET', `/api/robots/import/files?id=${robot()}`),
      () => call('DELETE', `/api/robots/import/${robot()}`),
      () => call('GET', '/api/robots'),
      () => call('GET', '/api/runs'),
      () => call('DELETE', '/api/runs?run=wbc_humanoid%2Ffirst'),
    ];
  }

  /** Sends `requests` requests from `clients` parallel clients, each route at least once. */
  async run(requests: number, clients: number): Promise<void> {
    const columns = (await (await fetch(`${this.#address}/api/data/joints`)).json()) as { joints: readonly unknown[] };
    this.#joints = columns.joints.length;
    let left = requests;
    const first = this.#routes.map((route) => () => this.#call(route));
    const client = async () => {
      while (left > 0) {
        left -= 1;
        await this.#send((first.pop() ?? (() => this.#next()))());
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
  }

  /** Whether the service still answers after the run. */
  async isAlive(): Promise<boolean> {
    for (const target of ['/healthz', '/api/robot', '/api/data/datasets', '/api/runs']) {
      const response = await fetch(this.#address + target, { signal: AbortSignal.timeout(60_000) }).catch(() => null);
      await response?.arrayBuffer();
      if (response?.status !== 200) return false;
    }
    return true;
  }

  #next(): Call {
    if (this.#random() < 0.5) return this.#pick(this.#races)();
    for (;;) {
      const route = this.#pick(this.#routes);
      if (this.#random() < (HEAVY[`${route.method} ${route.path}`] ?? 1)) return this.#call(route);
    }
  }

  async #send({ method, target, body, deadlineS }: Call): Promise<void> {
    this.sent += 1;
    const json = body?.startsWith('{') === true || body?.startsWith('[') === true;
    const limitMs = (deadlineS + GRACE_S) * 1e3;
    let status: number;
    let text = '';
    try {
      const response = await fetch(this.#address + target, {
        method,
        redirect: 'manual',
        signal: AbortSignal.timeout(limitMs),
        ...(body === undefined ? {} : { body, headers: json ? { 'content-type': 'application/json' } : {} }),
      });
      const bytes = await response.arrayBuffer();
      status = response.status;
      if (status === 500) text = Buffer.from(bytes).toString().slice(0, 400);
    } catch (error) {
      this.hangs += 1;
      status = 0;
      const { message, cause } = error as Error;
      text = `${message} ${cause instanceof Error ? cause.message : ''}`;
    }
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status === 500 || status === 0)
      this.failures.push({ request: `${method} ${target} ${body?.slice(0, 300) ?? ''}`, text });
  }

  #call(route: RouteSpec): Call {
    const target = route.path.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => {
      const value = this.#random() < 0.1 ? this.#pick(ODD) : this.#named(name);
      return encodeURIComponent(String(value ?? ''));
    });
    const query = route.query ? this.#object(route.query as Schema) : {};
    const search = new URLSearchParams(
      Object.entries(query).flatMap(([key, value]) => (value === null ? [] : [[key, String(value)]])),
    ).toString();
    const body = route.upload ? this.#clip() : route.body ? JSON.stringify(this.#body(route)) : undefined;
    return {
      method: route.method,
      target: target + (search === '' ? '' : `?${search}`),
      deadlineS: route.deadlineS ?? DEADLINE_S,
      ...(body === undefined || route.method === 'GET' ? {} : { body }),
    };
  }

  #body(route: RouteSpec): unknown {
    const body = this.#object(route.body as Schema);
    if (this.#random() < 0.03) return this.#pick([[], [body], {}, { unknown_field: 1 }]);
    // A real training would run for minutes.
    if (route.path === '/api/train/launch') return { ...body, dry_run: true, num_envs: 2, max_iterations: 1 };
    if (route.path === '/api/play/configure') return { ...body, num_envs: 1 };
    return body;
  }

  #object(schema: Schema): Record<string, unknown> {
    const required = new Set(schema.required ?? []);
    const entries = Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
      const leave = required.has(key) ? 0.05 : 0.5;
      return this.#random() < leave ? [] : [[key, this.#value(key, inner)] as const];
    });
    return Object.fromEntries(entries);
  }

  #value(key: string, schema: Schema): unknown {
    const draw = this.#random();
    if (draw < 0.06) return this.#pick([...ODD, -1, 0, 1e308, -1e-9, true, [], {}, 'x']);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return this.#pick(schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return this.#value(key, this.#pick(choices));
    switch (schema.type) {
      case 'boolean':
        return this.#random() < 0.5;
      case 'integer':
      case 'number': {
        const low = schema.minimum ?? -2;
        const value = low + this.#random() * (Math.min(schema.maximum ?? 20, low + 100) - low);
        return schema.type === 'integer' ? Math.round(value) : value;
      }
      case 'array':
        return Array.from({ length: Math.floor(this.#random() * 4) }, () => this.#value(key, schema.items ?? {}));
      case 'object':
        return this.#object(schema);
      case 'null':
        return null;
      default:
        return this.#named(key);
    }
  }

  /** Returns a name for a field with this key. */
  #named(key: string): string {
    if (/dataset/.test(key)) return this.#pick(DATASETS);
    if (/clip/.test(key)) return this.#pick(CLIPS);
    if (/run|experiment/.test(key)) return this.#pick(RUNS);
    if (/^(id|robot)$/.test(key)) return this.#pick(ROBOTS);
    if (/file|path|model|source/.test(key)) return this.#pick(['one.csv', 'walker.xml', '/tmp/nowhere', 'a/b.stl']);
    if (/task|base/.test(key)) return this.#pick(['Wbc-Humanoid', 'Wbc-Humanoid-SE', 'Wbc-Nobody']);
    return this.#pick([...DATASETS, ...PRESETS, ...ROBOTS, 'convert-1', 'left_hip_pitch_joint']);
  }

  /** Returns the name of a random clip of the built-in robot, sometimes an invalid name. */
  #clip(): string {
    if (this.#random() < 0.2) return this.#pick(['', 'not a clip', '1,2,3\n', CLIP]);
    const row = `${CLIP}${',0'.repeat(this.#joints)}\n`;
    return row.repeat(1 + Math.floor(this.#random() * 40));
  }

  #pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)]!;
  }

  /** mulberry32, in [0, 1). */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
}
