import { fileIndex, folderOf } from '../../robots/prepare/find-file.ts';
import { MODEL_FILES } from '../../robots/prepare/model-files.ts';
import { decodeXml, descendants, parseXml, type XmlElement } from '../../robots/prepare/text/xml.ts';

/** A model file larger than this is listed, but its content does not count. A G1 has 60 kB. */
const MAX_MODEL_BYTES = 8 << 20;
/** All model files together: a folder of thousands must not keep its reader busy. */
const MAX_TOTAL_BYTES = 64 << 20;
/** Enough of a larger one to tell what it is. */
const HEAD_BYTES = 1 << 16;
const MESHES = /\.(stl|obj|msh|dae|ply|glb|gltf|fbx|3ds|step|stp|mesh)$/i;
const TEXTURES = /\.(png|jpe?g|bmp|tga|tiff?|gif|webp|ktx|hdr|exr|mtl)$/i;

/** A file of an upload, by its path relative to the upload's folder, '/'-separated. */
export interface ListedFile {
  readonly path: string;
  readonly bytes: number;
}

export interface RankedFile extends ListedFile {
  readonly kind: 'mjcf' | 'urdf' | 'mesh' | 'texture' | 'other';
  /** the likeliest main model: true for one file at most */
  readonly main: boolean;
}

interface Sniffed {
  readonly kind: 'mjcf' | 'urdf';
  readonly joints: number;
  readonly geoms: number;
  /** paths of uploaded files that it includes */
  readonly includes: readonly string[];
  /** made to be included: it is no model by itself */
  readonly part: boolean;
}

/** Tells what each file of an upload is, models first and the likeliest main model first of all: the one with the most
 *  joints that no other model includes and that is more than a wrapper around another. MJCF goes before URDF.
 *  @param read the first `limit` bytes of a file; may throw, the file then counts as unreadable */
export function rankModelFiles(
  files: readonly ListedFile[],
  read: (path: string, limit: number) => Uint8Array,
): RankedFile[] {
  const models = new Map<string, Sniffed>();
  const index = fileIndex(new Map(files.map(({ path }) => [path, new Uint8Array(0)])));
  let left = MAX_TOTAL_BYTES;
  for (const { path, bytes } of [...files].sort(byPath)) {
    if (!MODEL_FILES.test(path) || left < HEAD_BYTES) continue;
    const limit = bytes > MAX_MODEL_BYTES || bytes > left ? HEAD_BYTES : MAX_MODEL_BYTES;
    left -= Math.min(bytes, limit);
    const found = readModel(path, read, limit, (reference) => index.find(reference, [folderOf(path), '']));
    if (found) models.set(path, found);
  }
  const totals = new Map([...models.keys()].map((path) => [path, total(models, path, new Set())]));
  // A wrapper adds no joint to a model that is whole without it: what it includes is the robot.
  const isWrapper = ({ joints, includes }: Sniffed) =>
    joints === 0 && includes.some((path) => models.get(path)?.part === false && totals.get(path)!.joints > 0);
  const wholes = [...models.values()].filter((model) => !isWrapper(model));
  const included = new Set(wholes.flatMap(({ includes }) => includes));
  const rank = (path: string): readonly number[] => {
    const model = models.get(path)!;
    const { joints, geoms } = totals.get(path)!;
    return [
      model.part || joints === 0 || isWrapper(model) || included.has(path) ? 1 : 0,
      -joints,
      model.kind === 'mjcf' ? 0 : 1,
      -geoms,
      path.split('/').length,
    ];
  };
  const ranks = new Map([...models.keys()].map((path) => [path, rank(path)]));
  const ordered = [...models.keys()].sort((a, b) => compare(ranks.get(a)!, ranks.get(b)!) || (a < b ? -1 : 1));
  const main = ordered.find((path) => !models.get(path)!.part);
  const bytesOf = new Map(files.map(({ path, bytes }) => [path, bytes]));
  const others = files
    .filter(({ path }) => !models.has(path))
    .map((file) => ({ ...file, kind: kindByName(file.path), main: false }))
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || byPath(a, b));
  return [
    ...ordered.map((path) => ({
      path,
      bytes: bytesOf.get(path)!,
      kind: models.get(path)!.kind,
      main: path === main,
    })),
    ...others,
  ];
}

const KINDS: readonly RankedFile['kind'][] = ['mjcf', 'urdf', 'mesh', 'texture', 'other'];
/** Sections whose <joint> and <geom> are no joints and geoms. */
const JOINTS_ELSEWHERE = new Set(['default', 'equality', 'tendon', 'actuator', 'sensor', 'contact', 'asset']);
const byPath = (a: ListedFile, b: ListedFile) => (a.path < b.path ? -1 : 1);

function kindByName(path: string): RankedFile['kind'] {
  if (MESHES.test(path)) return 'mesh';
  return TEXTURES.test(path) ? 'texture' : 'other';
}

/** A file that is no XML we accept still is what its first element says, with nothing in it: whoever chooses it as
 *  the model is told what is wrong. */
function readModel(
  path: string,
  read: (path: string, limit: number) => Uint8Array,
  limit: number,
  find: (reference: string) => string | null,
): Sniffed | null {
  let text = '';
  try {
    text = decodeXml(read(path, limit));
    return sniff(parseXml(text, path), find);
  } catch {
    const root = /<(mujoco|robot)[\s>/]/.exec(text.slice(0, HEAD_BYTES))?.[1];
    if (!root) return null;
    return { kind: root === 'robot' ? 'urdf' : 'mjcf', joints: 0, geoms: 0, includes: [], part: false };
  }
}

function sniff(root: XmlElement, find: (reference: string) => string | null): Sniffed | null {
  const count = { joints: 0, geoms: 0 };
  const includes: string[] = [];
  if (root.name === 'robot') {
    for (const element of root.children) {
      if (element.name === 'joint' && element.attributes.get('type') !== 'fixed') count.joints++;
      if (element.name === 'link') count.geoms += element.children.filter((child) => child.name !== 'inertial').length;
    }
    // What xacro makes of a file is not known before it is expanded.
    const expanded = ![...descendants(root)].some(({ name }) => name.startsWith('xacro:'));
    return { kind: 'urdf', joints: expanded ? count.joints : 0, geoms: count.geoms, includes, part: false };
  }
  if (root.name !== 'mujoco' && root.name !== 'mujocoinclude') return null;
  let worlds = 0;
  for (const element of descendants(root)) {
    if (element.name === 'worldbody') worlds++;
    if (element.name === 'include') {
      const path = find(element.attributes.get('file') ?? '');
      if (path !== null) includes.push(path);
    }
  }
  for (const section of root.children) {
    if (JOINTS_ELSEWHERE.has(section.name)) continue;
    for (const { name } of descendants(section)) {
      if (name === 'joint') count.joints++;
      if (name === 'geom') count.geoms++;
    }
  }
  const part = root.name === 'mujocoinclude' || (worlds === 0 && includes.length === 0);
  return { kind: 'mjcf', ...count, includes, part };
}

/** Counts of a model with all it includes. */
function total(models: ReadonlyMap<string, Sniffed>, path: string, seen: Set<string>) {
  const sum = { joints: 0, geoms: 0 };
  const model = models.get(path);
  if (!model || seen.has(path)) return sum;
  seen.add(path);
  sum.joints += model.joints;
  sum.geoms += model.geoms;
  for (const include of model.includes) {
    const part = total(models, include, seen);
    sum.joints += part.joints;
    sum.geoms += part.geoms;
  }
  return sum;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return a[k]! - b[k]!;
  return 0;
}
