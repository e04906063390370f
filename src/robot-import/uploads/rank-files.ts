import { fileIndex, folderOf } from '../../robots/prepare/find-file.ts';
import { MODEL_FILES } from '../../robots/prepare/model-files.ts';
import { decodeXml, descendants, parseXml, type XmlElement } from '../../robots/prepare/text/xml.ts';

/** Size limit of a model file whose content is examined, bytes. The model file of a G1 is 60 kB. */
const MAX_MODEL_BYTES = 8 << 20;
/** Size limit of all examined model files together, bytes. It keeps a folder of thousands of files from blocking the
 *  thread. */
const MAX_TOTAL_BYTES = 64 << 20;
/** Bytes read of a file above the limit: enough to detect its format. */
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
  /** whether it is the most likely main model; true for at most one file */
  readonly main: boolean;
}

/** Words in the name of a variant: the same robot in special surroundings, with added physics, or simplified for
 *  MJX. */
const VARIANT =
  /(?:^|[-_. ])(?:scene|terrain|rough|stairs?|steps|slope|hfield|height_?field|world|arena|playground|obstacles?|slosh\w*|payload|mjx|backlash|dummy|debug|old|orig|backup|test|tmp|copy)(?=[-_. ]|\d|$)/i;
/** A variant is ranked after a plain model if it has at most this many times the joints of the plain model. */
const VARIANT_SHARE = 2;
/** A model with an addition, such as an arm or hands, is ranked after the plain model of the same folder. This
 *  applies if it has at most this many times the joints of the plain model. */
const ADDITION_SHARE = 3;
/** Endings of a folder's name that say nothing about the robot. */
const FOLDER_ENDING = /[-_](?:description|descriptions|model|models|robot|urdf|mjcf|mujoco)$/i;

interface Sniffed {
  readonly kind: 'mjcf' | 'urdf';
  readonly joints: number;
  readonly geoms: number;
  /** paths of uploaded files that it includes */
  readonly includes: readonly string[];
  /** whether it can only be included in other models */
  readonly part: boolean;
}

/** Classifies the files of an upload. Lists models first, with the most likely main model at the top: the model with
 *  the most joints that no other model includes and that does not only wrap another model. MJCF precedes URDF. A
 *  variant (a name such as terrain, scene, slosh) follows plain models with at least half as many joints. A model with
 *  an addition (`spot_arm` beside `spot`, or beside the model that is named like the folder) follows the plain model.
 *  @param read returns the first `limit` bytes of a file; if it throws, the file is classified as unreadable */
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
  // A wrapper includes a complete model and adds no joints. The robot is the included model.
  const isWrapper = ({ joints, includes }: Sniffed) =>
    joints === 0 && includes.some((path) => models.get(path)?.part === false && totals.get(path)!.joints > 0);
  const wholes = [...models.values()].filter((model) => !isWrapper(model));
  const plainJoints = Math.max(0, ...[...totals].map(([path, { joints }]) => (isVariant(path) ? 0 : joints)));
  const included = new Set(wholes.flatMap(({ includes }) => includes));
  const isSecondary = (path: string) => {
    const model = models.get(path)!;
    return model.part || totals.get(path)!.joints === 0 || isWrapper(model) || included.has(path);
  };
  const plain = [...models.keys()].filter((path) => !isSecondary(path) && !isVariant(path));
  const hasAddition = (path: string) =>
    plain.some(
      (other) => isAddition(path, other) && totals.get(path)!.joints <= ADDITION_SHARE * totals.get(other)!.joints,
    );
  const rank = (path: string): readonly number[] => {
    const model = models.get(path)!;
    const { joints, geoms } = totals.get(path)!;
    return [
      isSecondary(path) ? 1 : 0,
      isVariant(path) && joints <= VARIANT_SHARE * plainJoints ? 1 : 0,
      hasAddition(path) ? 1 : 0,
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

function isVariant(path: string): boolean {
  return VARIANT.test(stemOf(path));
}

/** Compares two models of one folder by their names. Returns true if the name of the first extends the name of the
 *  second, or if only the second is named like the folder. */
function isAddition(path: string, other: string): boolean {
  if (path === other || folderOf(path) !== folderOf(other)) return false;
  const [stem, plain] = [stemOf(path).toLowerCase(), stemOf(other).toLowerCase()];
  if (stem === plain) return false;
  const folder = folderOf(path)
    .slice(folderOf(path).lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(FOLDER_ENDING, '');
  if (plain === folder || folder.endsWith(`_${plain}`)) return stem !== folder && !folder.endsWith(`_${stem}`);
  return stem.startsWith(plain) && /^[-_. ]/.test(stem.slice(plain.length));
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
}

const KINDS: readonly RankedFile['kind'][] = ['mjcf', 'urdf', 'mesh', 'texture', 'other'];
/** Sections in which <joint> and <geom> do not define joints and shapes of the robot. */
const JOINTS_ELSEWHERE = new Set(['default', 'equality', 'tendon', 'actuator', 'sensor', 'contact', 'asset']);
const byPath = (a: ListedFile, b: ListedFile) => (a.path < b.path ? -1 : 1);

function kindByName(path: string): RankedFile['kind'] {
  if (MESHES.test(path)) return 'mesh';
  return TEXTURES.test(path) ? 'texture' : 'other';
}

/** Detects the format of a file. A file with invalid XML is classified by its first element, as a model without joints.
 *  The error is reported when the user chooses this file as the model. */
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
    // The content of a xacro file is unknown until it is expanded.
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

/** Adds the counts of a model and of the files that it includes. */
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
