import type { MainModule, MjSpec, MjsBody } from '../../../sim/mujoco.ts';
import { children, elements } from '../../../sim/spec-elements.ts';
import { folderOf, stemOf } from '../find-file.ts';
import type { ModelFolder } from '../model-folder.ts';
import { counted, listed, meshesMissing } from '../text/wording.ts';
import { bodiesBelow } from './reading.ts';

/** Lets MuJoCo read the files of a spec from the model folder only. */
export function readFromModelFolder(spec: MjSpec, modelFolder: ModelFolder): void {
  spec.compiler.meshdir = '';
  spec.compiler.texturedir = '';
  spec.strippath = false;
  spec.modelfiledir = modelFolder.path;
}

/** Sets the file of every mesh of an MJCF to its copy in the model folder. Removes unusable meshes with their visual
 *  geoms.
 *  @returns one sentence for each removed mesh
 *  @throws StudioError bad_input for missing files of collision geoms, because the robot would behave differently
 *  without them */
export function placeMeshAssets(mj: MainModule, spec: MjSpec, modelPath: string, modelFolder: ModelFolder): string[] {
  const warnings: string[] = [];
  const folder = folderOf(modelPath);
  const absent = new Map<string, string>();
  const places = [`${folder}/${spec.compiler.meshdir}`, folder];
  const missing = new Map<string, string>();
  const referenceOf = (file: string) => (spec.strippath ? file.replace(/^.*[/\\]/, '') : file);
  modelFolder.plan(
    elements(mj, spec, mj.mjtObj.mjOBJ_MESH).flatMap((element, k) => {
      const { file } = mj.mjs_asMesh(element)!;
      return file === '' ? [] : [{ reference: referenceOf(file), folders: places, variant: String(k) }];
    }),
  );
  for (const element of elements(mj, spec, mj.mjtObj.mjOBJ_MESH)) {
    const mesh = mj.mjs_asMesh(element)!;
    if (mesh.file === '') continue;
    const reference = referenceOf(mesh.file);
    // Set a name for an unnamed mesh: MuJoCo names it after its file, whose name may change here.
    const name = mj.mjs_getName(element) || stemOf(mesh.file);
    const placed = modelFolder.mesh(reference, places);
    if (placed.usable) {
      mj.mjs_setName(element, name);
      mesh.file = placed.file;
      mesh.content_type = '';
    } else {
      missing.set(name, `mesh ${placed.path ?? reference} ${placed.problem}`);
      if (placed.path === null) absent.set(name, reference);
      mj.mjs_delete(spec, element);
    }
  }
  const losers = new Map<string, { colliding: number; drawn: number; bodies: Set<string> }>();
  for (const body of bodiesBelow(mj, mj.mjs_findBody(spec, 'world')!)) {
    for (const element of children(mj, body, mj.mjtObj.mjOBJ_GEOM)) {
      const geom = mj.mjs_asGeom(element)!;
      if (!missing.has(geom.meshname)) continue;
      const loser = losers.get(geom.meshname) ?? { colliding: 0, drawn: 0, bodies: new Set<string>() };
      losers.set(geom.meshname, loser);
      if (geom.contype === 0 && geom.conaffinity === 0) loser.drawn++;
      else loser.colliding++;
      loser.bodies.add(mj.mjs_getName(body.element));
      mj.mjs_delete(spec, element);
    }
  }
  const needed = [...absent].filter(([name]) => (losers.get(name)?.colliding ?? 0) > 0);
  if (needed.length > 0)
    throw meshesMissing(
      modelPath,
      needed.map(([name, file]) => [file, [...losers.get(name)!.bodies]]),
    );
  for (const [name, problem] of missing) {
    const loser = losers.get(name);
    if (!loser) {
      warnings.push(`${problem}; no geom uses it`);
      continue;
    }
    const kinds = [
      ...(loser.drawn > 0 ? [counted(loser.drawn, 'visual geom')] : []),
      ...(loser.colliding > 0 ? [counted(loser.colliding, 'collision geom')] : []),
    ];
    warnings.push(`${kinds.join(' and ')} of ${listed([...loser.bodies])} removed: ${problem}`);
  }
  return warnings;
}

/** Removes explicit contact pairs. @returns the names of their geoms */
export function takePairs(mj: MainModule, spec: MjSpec): Set<string> {
  const paired = new Set<string>();
  for (const element of elements(mj, spec, mj.mjtObj.mjOBJ_PAIR)) {
    const pair = mj.mjs_asPair(element)!;
    paired.add(pair.geomname1).add(pair.geomname2);
    mj.mjs_delete(spec, element);
  }
  return paired;
}

/** Removes planes and height fields from the robot, because they cannot move with it. Geoms that collided only in
 *  explicit pairs get collision masks, because the service uses masks instead of pairs. If no geom of the robot
 *  collides, its hidden geoms do from now on.
 *  @param paired see {@link takePairs}  @returns one sentence for each kind of change */
export function settleContacts(mj: MainModule, spec: MjSpec, root: MjsBody, paired: ReadonlySet<string>): string[] {
  const warnings: string[] = [];
  const { mjOBJ_GEOM } = mj.mjtObj;
  const still = new Set<number>([mj.mjtGeom.mjGEOM_PLANE.value, mj.mjtGeom.mjGEOM_HFIELD.value]);
  const planes: string[] = [];
  for (const body of [root, ...bodiesBelow(mj, root)]) {
    for (const element of children(mj, body, mjOBJ_GEOM)) {
      if (!still.has(mj.mjs_asGeom(element)!.type.value)) continue;
      planes.push(mj.mjs_getName(body.element));
      mj.mjs_delete(spec, element);
    }
  }
  if (planes.length > 0)
    warnings.push(`planes and height fields removed, because they cannot move: on ${listed(planes)}`);
  if (paired.size > 0) warnings.push(maskPairs(mj, spec, paired));
  warnings.push(...maskHidden(mj, spec));
  return warnings;
}

function maskPairs(mj: MainModule, spec: MjSpec, paired: ReadonlySet<string>): string {
  const masked: string[] = [];
  for (const element of elements(mj, spec, mj.mjtObj.mjOBJ_GEOM)) {
    const geom = mj.mjs_asGeom(element)!;
    const name = mj.mjs_getName(element);
    if (!paired.has(name) || geom.contype !== 0 || geom.conaffinity !== 0) continue;
    geom.conaffinity = 1; // collides with the floor (contype 1), not with other robot geoms
    masked.push(name);
  }
  const touch =
    masked.length > 0 ? `; geoms that collided only in pairs now collide with the floor: ${listed(masked)}` : '';
  return `contact pairs replaced by collision masks${touch}`;
}

/** First group that MuJoCo's viewer hides. Models put their collision shapes into such groups. */
const HIDDEN_GROUP = 3;

/** Gives collision masks to the hidden geoms of a robot without any. Such a model relies on contact pairs in a scene
 *  file that includes it. */
function maskHidden(mj: MainModule, spec: MjSpec): string[] {
  const geoms = elements(mj, spec, mj.mjtObj.mjOBJ_GEOM).map((element) => mj.mjs_asGeom(element)!);
  if (geoms.some(({ contype, conaffinity }) => contype !== 0 || conaffinity !== 0)) return [];
  const hidden = geoms.filter(({ group }) => group >= HIDDEN_GROUP);
  for (const geom of hidden) {
    geom.contype = 1;
    geom.conaffinity = 1;
  }
  return hidden.length === 0
    ? []
    : [
        `all shapes have contype 0 and conaffinity 0: the ${counted(hidden.length, 'shape')} in group ${HIDDEN_GROUP} and above now collide`,
      ];
}

/** Number of vertices of the convex hull of a collision mesh. MuJoCo creates contacts at the few vertices around the
 *  deepest one. On the full hull of a scanned foot, these are close together at toe or heel, and the foot sinks in by
 *  centimetres (measured: 35 mm, against 0.8 mm with 16 to 64 vertices). */
const HULL_CORNERS = 32;

/** Reduces the hulls of collision meshes, unless the model sets their resolution. Visual geometry does not change.
 *  @returns one sentence if a hull was changed */
export function coarsenHulls(mj: MainModule, spec: MjSpec): string[] {
  const colliding = new Set<string>();
  for (const element of elements(mj, spec, mj.mjtObj.mjOBJ_GEOM)) {
    const geom = mj.mjs_asGeom(element)!;
    const meshes = geom.type.value === mj.mjtGeom.mjGEOM_MESH.value && (geom.contype !== 0 || geom.conaffinity !== 0);
    if (meshes) colliding.add(geom.meshname);
  }
  const coarsened: string[] = [];
  for (const element of elements(mj, spec, mj.mjtObj.mjOBJ_MESH)) {
    const mesh = mj.mjs_asMesh(element)!;
    if (mesh.maxhullvert >= 0 || !colliding.has(mj.mjs_getName(element))) continue;
    mesh.maxhullvert = HULL_CORNERS;
    coarsened.push(mj.mjs_getName(element));
  }
  return coarsened.length === 0
    ? []
    : [`meshes collide as hulls of at most ${HULL_CORNERS} corners: ${listed(coarsened)}`];
}
