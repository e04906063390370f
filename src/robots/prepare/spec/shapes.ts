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

/** Lets every mesh of an MJCF name a placed file. Meshes that cannot be used are taken out with the geoms that show
 *  them. @returns a sentence for each mesh left out
 *  @throws StudioError bad_input for files that are missing though their geoms collide: without them the robot would be
 *  another one */
export function placeMeshAssets(mj: MainModule, spec: MjSpec, modelPath: string, modelFolder: ModelFolder): string[] {
  const warnings: string[] = [];
  const folder = folderOf(modelPath);
  const absent = new Map<string, string>();
  const places = [`${folder}/${spec.compiler.meshdir}`, folder];
  const missing = new Map<string, string>();
  for (const element of elements(mj, spec, mj.mjtObj.mjOBJ_MESH)) {
    const mesh = mj.mjs_asMesh(element)!;
    if (mesh.file === '') continue;
    const reference = spec.strippath ? mesh.file.replace(/^.*[/\\]/, '') : mesh.file;
    // An unnamed mesh goes by its file, which may get another name.
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
      warnings.push(`${problem}; nothing shows it`);
      continue;
    }
    const kinds = [
      ...(loser.drawn > 0 ? [counted(loser.drawn, 'visual geom')] : []),
      ...(loser.colliding > 0 ? [counted(loser.colliding, 'collision geom')] : []),
    ];
    warnings.push(`${kinds.join(' and ')} of ${listed([...loser.bodies])} left out: ${problem}`);
  }
  return warnings;
}

/** Takes explicit contact pairs out. @returns the names of the geoms in them */
export function takePairs(mj: MainModule, spec: MjSpec): Set<string> {
  const paired = new Set<string>();
  for (const element of elements(mj, spec, mj.mjtObj.mjOBJ_PAIR)) {
    const pair = mj.mjs_asPair(element)!;
    paired.add(pair.geomname1).add(pair.geomname2);
    mj.mjs_delete(spec, element);
  }
  return paired;
}

/** Takes planes and height fields off the robot, which cannot move with it, and lets geoms that collided only in pairs
 *  collide by masks, as the service does.
 *  @param paired see {@link takePairs}  @returns a sentence for each kind of change */
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
  if (planes.length > 0) warnings.push(`planes and height fields left out, they cannot move: on ${listed(planes)}`);
  if (paired.size === 0) return warnings;
  const masked: string[] = [];
  for (const element of elements(mj, spec, mjOBJ_GEOM)) {
    const geom = mj.mjs_asGeom(element)!;
    const name = mj.mjs_getName(element);
    if (!paired.has(name) || geom.contype !== 0 || geom.conaffinity !== 0) continue;
    geom.conaffinity = 1; // meets the floor, not its own kind
    masked.push(name);
  }
  const touch = masked.length > 0 ? `; geoms that collided only in pairs meet the floor: ${listed(masked)}` : '';
  warnings.push(`contact pairs left out, collision masks decide${touch}`);
  return warnings;
}

/** Corners of a collision mesh's hull. MuJoCo rests a mesh on the few corners around the deepest one: on the hull of a
 *  scanned foot these lie side by side at toe or heel, and the foot sinks in by centimetres (measured: 35 mm against
 *  0.8 mm with 16 to 64 corners). */
const HULL_CORNERS = 32;

/** Coarsens the hulls of meshes that collide, unless the model says how fine they are to be. Nothing that is drawn
 *  changes. @returns a sentence where there are any */
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
