import type { CameraPlace } from '../scene/camera-place.ts';

/** Contents of the address after `#`. */
export interface Address {
  /** id of an area */
  readonly area: string | null;
  /** whether the wizard that adds a robot is open */
  readonly importing: boolean;
  readonly robot: string | null;
  readonly dataset: string | null;
  readonly clip: string | null;
  readonly frame: number | null;
  /** Tasks: kind and name, `preset/rough-ground` */
  readonly task: string | null;
  /** Play and Runs: `<run_dir>/<run>` */
  readonly run: string | null;
  readonly env: number | null;
  readonly camera: CameraPlace | null;
}

const FOLLOW = ['free', 'follow', 'heading'] as const;
const DEGREES = 180 / Math.PI;
const short = (n: number, digits: number) => String(Number(n.toFixed(digits)));

/** Returns an address such as
 *  `#/data/samples/walk_forward?robot=humanoid&frame=120&camera=30,11,3.2,0,0,0.66,follow` (degrees and metres). */
export function writeAddress(address: Address): string {
  const path = [address.area ?? ''];
  if (address.importing) path.push('import');
  if (address.task !== null) path.push(...address.task.split('/').map(encodeURIComponent));
  if (address.dataset !== null) {
    path.push(encodeURIComponent(address.dataset));
    if (address.clip !== null) path.push(encodeURIComponent(address.clip));
  }
  const query: string[] = [];
  if (address.robot !== null) query.push(`robot=${encodeURIComponent(address.robot)}`);
  if (address.run !== null) query.push(`run=${encodeURIComponent(address.run)}`);
  if (address.env !== null) query.push(`env=${address.env}`);
  if (address.frame !== null) query.push(`frame=${address.frame}`);
  if (address.camera !== null) {
    const { azimuth, elevation, distance, target, follow } = address.camera;
    const figures = [short(azimuth * DEGREES, 1), short(elevation * DEGREES, 1), short(distance, 2)];
    query.push(`camera=${[...figures, ...target.map((x) => short(x, 2)), follow].join(',')}`);
  }
  return `#/${path.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

function decoded(segment: string | undefined): string | null {
  if (segment === undefined || segment === '') return null;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null; // an invalid escape sequence in a hand-written link
  }
}

function readCamera(text: string | null): CameraPlace | null {
  if (text === null) return null;
  const parts = text.split(',');
  const numbers = parts.slice(0, 6).map(Number);
  const follow = FOLLOW.find((mode) => mode === parts[6]) ?? 'follow';
  if (parts.length < 6 || !numbers.every(Number.isFinite)) return null;
  const [azimuth = 0, elevation = 0, distance = 3, x = 0, y = 0, z = 0] = numbers;
  if (distance <= 0) return null;
  return { azimuth: azimuth / DEGREES, elevation: elevation / DEGREES, distance, target: [x, y, z], follow };
}

function readIndex(text: string | null): number | null {
  const index = text === null || text === '' ? Number.NaN : Number(text);
  return Number.isInteger(index) && index >= 0 ? index : null;
}

function readTask(kind: string | null, name: string | null): string | null {
  return name !== null && (kind === 'task' || kind === 'preset' || kind === 'module') ? `${kind}/${name}` : null;
}

/** Reads an address of `writeAddress`; missing or invalid parts are null. @param areas ids of all areas */
export function readAddress(hash: string, areas: readonly string[]): Address {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [first, dataset, clip] = path.split('/');
  const params = new URLSearchParams(query);
  const area = areas.find((id) => id === first) ?? null;
  const inData = area === 'data';
  return {
    area,
    importing: area === 'robots' && dataset === 'import',
    robot: params.get('robot'),
    dataset: inData ? decoded(dataset) : null,
    clip: inData ? decoded(clip) : null,
    frame: readIndex(params.get('frame')),
    task: area === 'tasks' ? readTask(decoded(dataset), decoded(clip)) : null,
    run: area === 'play' || area === 'runs' ? params.get('run') : null,
    env: area === 'play' ? readIndex(params.get('env')) : null,
    camera: readCamera(params.get('camera')),
  };
}
