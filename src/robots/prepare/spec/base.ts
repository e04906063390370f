import { badInput } from '../../../core/errors.ts';
import type { MainModule, MjSpec, MjsBody, MjsElement } from '../../../sim/mujoco.ts';
import { children, elementNames, elements } from '../../../sim/spec-elements.ts';
import { counted, listed } from '../text/wording.ts';
import { bodiesBelow } from './reading.ts';
import { dropVirtualBase } from './virtual-base.ts';

/** Reduces a spec to the robot: one root body with a free joint. Removes floor, lights, cameras, objects around the
 *  robot, and actuators.
 *  @returns the root body, and one sentence for each change
 *  @throws StudioError bad_input if the root body is ambiguous, or for unsupported joints */
export function isolateRobot(mj: MainModule, spec: MjSpec, modelPath: string): { root: MjsBody; warnings: string[] } {
  const warnings: string[] = [];
  const { mjOBJ_ACTUATOR, mjOBJ_KEY, mjOBJ_SENSOR, mjOBJ_TUPLE, mjOBJ_HFIELD, mjOBJ_CAMERA, mjOBJ_LIGHT } = mj.mjtObj;
  const drop = (kind: Parameters<typeof elements>[2], words: ((count: number) => string) | null) => {
    const found = elements(mj, spec, kind);
    for (const element of found) mj.mjs_delete(spec, element);
    if (found.length > 0 && words) warnings.push(words(found.length));
  };
  drop(mjOBJ_SENSOR, null);
  drop(
    mjOBJ_ACTUATOR,
    (n) => `${counted(n, 'actuator')} ignored, because the position servos of the spec drive the joints`,
  );
  drop(mjOBJ_KEY, (n) => `${counted(n, 'keyframe')} ignored, because the spec sets the default pose`);
  drop(mjOBJ_TUPLE, null);
  dropLostMaterials(mj, spec, warnings);
  const root = mj.mjs_asBody(chooseRoot(mj, spec, modelPath, warnings))!;
  clearWorld(mj, spec, warnings);
  drop(mjOBJ_HFIELD, null);
  // Cameras and lights of the robot may aim at removed objects.
  drop(mjOBJ_CAMERA, null);
  drop(mjOBJ_LIGHT, null);
  nameElements(mj, spec, root, warnings);
  freeRoot(mj, spec, root, modelPath, warnings);
  checkJoints(mj, root, modelPath);
  dropWorldTies(mj, spec, warnings);
  return { root, warnings };
}

/** Removes references to materials that the file does not define. Other simulators ignore such references. */
function dropLostMaterials(mj: MainModule, spec: MjSpec, warnings: string[]): void {
  const known = new Set(elements(mj, spec, mj.mjtObj.mjOBJ_MATERIAL).map((element) => mj.mjs_getName(element)));
  const lost = new Set<string>();
  const { mjOBJ_GEOM, mjOBJ_SITE } = mj.mjtObj;
  for (const element of elements(mj, spec, mjOBJ_GEOM)) {
    const geom = mj.mjs_asGeom(element)!;
    if (geom.material === '' || known.has(geom.material)) continue;
    lost.add(geom.material);
    geom.material = '';
  }
  for (const element of elements(mj, spec, mjOBJ_SITE)) {
    const site = mj.mjs_asSite(element)!;
    if (!known.has(site.material)) site.material = '';
  }
  if (lost.size > 0) warnings.push(`materials that the file does not define are ignored: ${listed([...lost])}`);
}

/** Chooses the body of the world that has joints below it. The other bodies are scenery and are removed, also doors and
 *  other mechanisms that the world holds beside a robot with a free base. */
function chooseRoot(mj: MainModule, spec: MjSpec, modelPath: string, warnings: string[]) {
  const { mjOBJ_BODY, mjOBJ_JOINT } = mj.mjtObj;
  const free = mj.mjtJoint.mjJNT_FREE.value;
  const roots = children(mj, mj.mjs_findBody(spec, 'world')!, mjOBJ_BODY);
  const isFree = (joint: MjsElement) => mj.mjs_asJoint(joint)!.type.value === free;
  const jointsOf = (element: MjsElement) => children(mj, mj.mjs_asBody(element)!, mjOBJ_JOINT);
  const driven = (element: MjsElement) =>
    [element, ...bodiesBelow(mj, mj.mjs_asBody(element)!).map((body) => body.element)]
      .flatMap(jointsOf)
      .filter((joint) => !isFree(joint)).length;
  const drivable = roots.filter((element) => driven(element) > 0);
  const floating = drivable.filter((element) => jointsOf(element).some(isFree));
  const held = drivable.filter((element) => !floating.includes(element));
  const isRobot = floating.length === 1 && driven(floating[0]!) > held.reduce((sum, one) => sum + driven(one), 0);
  const candidates = isRobot ? floating : drivable.length > 0 ? drivable : roots;
  const [chosen] = candidates;
  if (!chosen || candidates.length > 1) {
    const names = candidates.map((element) => mj.mjs_getName(element) || '(unnamed)');
    throw badInput(
      `${modelPath} must have one root body, but it has ${candidates.length}${names.length > 0 ? `: ${listed(names)}. Put them into one <body> with the shapes and the mass of the base` : ''}`,
    );
  }
  const scenery = roots.filter((element) => element !== chosen);
  if (scenery.length > 0) {
    const names = scenery.map((element) => mj.mjs_getName(element) || '(unnamed)');
    for (const element of scenery) mj.mjs_delete(spec, element);
    warnings.push(`${counted(names.length, 'body', 'bodies')} beside the robot removed: ${listed(names)}`);
  }
  return chosen;
}

function clearWorld(mj: MainModule, spec: MjSpec, warnings: string[]): void {
  const { mjOBJ_GEOM, mjOBJ_LIGHT, mjOBJ_CAMERA, mjOBJ_SITE } = mj.mjtObj;
  const world = mj.mjs_findBody(spec, 'world')!;
  const gone: string[] = [];
  for (const [kind, word] of [
    [mjOBJ_GEOM, 'geom'],
    [mjOBJ_LIGHT, 'light'],
    [mjOBJ_CAMERA, 'camera'],
    [mjOBJ_SITE, 'site'],
  ] as const) {
    const found = children(mj, world, kind);
    for (const element of found) mj.mjs_delete(spec, element);
    if (found.length > 0) gone.push(counted(found.length, word));
  }
  if (gone.length > 0)
    warnings.push(`${gone.join(', ')} of the world removed, because the scene has its own floor and light`);
}

/** Names unnamed bodies and joints, because the service addresses them by name. */
function nameElements(mj: MainModule, spec: MjSpec, root: MjsBody, warnings: string[]): void {
  const { mjOBJ_BODY, mjOBJ_JOINT } = mj.mjtObj;
  const given: string[] = [];
  const used = new Set(
    [mjOBJ_BODY, mjOBJ_JOINT].flatMap((kind) => elements(mj, spec, kind).map((e) => mj.mjs_getName(e))),
  );
  const name = (element: Parameters<typeof mj.mjs_getName>[0], wish: string) => {
    if (mj.mjs_getName(element) !== '') return;
    let free = wish;
    for (let k = 2; used.has(free); k++) free = `${wish}_${k}`;
    used.add(free);
    mj.mjs_setName(element, free);
    given.push(free);
  };
  for (const body of [root, ...bodiesBelow(mj, root)]) {
    name(body.element, body === root ? 'root' : 'body');
    for (const element of children(mj, body, mjOBJ_JOINT)) {
      const free = mj.mjs_asJoint(element)!.type.value === mj.mjtJoint.mjJNT_FREE.value;
      if (!free) name(element, `${mj.mjs_getName(body.element)}_joint`);
    }
  }
  if (given.length > 0) warnings.push(`unnamed bodies and joints were named ${listed(given)}`);
}

const FREE_JOINT = 'floating_base_joint';

/** Gives the root a free joint. Replaces slide and hinge joints that together act as a free joint. */
function freeRoot(mj: MainModule, spec: MjSpec, root: MjsBody, modelPath: string, warnings: string[]): void {
  const name = mj.mjs_getName(root.element);
  const found = children(mj, root, mj.mjtObj.mjOBJ_JOINT);
  const types = found.map((element) => mj.mjs_asJoint(element)!.type.value);
  const { mjJNT_FREE, mjJNT_SLIDE } = mj.mjtJoint;
  if (types.includes(mjJNT_FREE.value)) {
    if (types.length > 1)
      throw badInput(`${modelPath}: root body ${name} has other joints in addition to its free joint`);
    if (mj.mjs_getName(found[0]!) === '') mj.mjs_setName(found[0]!, FREE_JOINT);
    warnings.push(...releaseRoot(mj, found[0]!));
    return;
  }
  if (types.length > 0) {
    if (types.filter((type) => type === mjJNT_SLIDE.value).length < 2) {
      throw badInput(
        `${modelPath}: the root body ${name} must have a free joint or no joint, but it has ${listed(found.map((element) => mj.mjs_getName(element)))}. Put it into a <body> with the shapes and the mass of the base`,
      );
    }
    warnings.push(
      `joints ${listed(found.map((e) => mj.mjs_getName(e)))} of root body ${name} were replaced by a free joint`,
    );
    for (const element of found) mj.mjs_delete(spec, element);
  } else {
    warnings.push(`root body ${name} was fixed to the world and was given a free joint`);
    warnings.push(...dropVirtualBase(mj, spec, root));
  }
  mj.mjs_setName(mj.mjs_addFreeJoint(root)!.element, FREE_JOINT);
}

/** Clears values of the free joint that it inherits from defaults meant for joints with motors. They would slow down
 *  the robot's motion in the air. */
function releaseRoot(mj: MainModule, element: ReturnType<typeof children>[number]): string[] {
  const joint = mj.mjs_asJoint(element)!;
  const held = [...[...joint.damping, ...joint.stiffness].map(Number), joint.armature, joint.frictionloss].some(
    (value) => value !== 0,
  );
  if (!held) return [];
  joint.damping.fill(0);
  joint.stiffness.fill(0);
  joint.armature = 0;
  joint.frictionloss = 0;
  return [
    `damping, stiffness, armature and friction of the free joint ${mj.mjs_getName(element)} removed, so that the base moves freely`,
  ];
}

function checkJoints(mj: MainModule, root: MjsBody, modelPath: string): void {
  const { mjJNT_FREE, mjJNT_BALL } = mj.mjtJoint;
  for (const body of bodiesBelow(mj, root)) {
    for (const element of children(mj, body, mj.mjtObj.mjOBJ_JOINT)) {
      const joint = mj.mjs_asJoint(element)!;
      const name = mj.mjs_getName(element);
      if (joint.type.value === mjJNT_FREE.value) {
        throw badInput(
          `${modelPath}: joint ${name} of body ${mj.mjs_getName(body.element)} is free, but only the root body may have a free joint`,
        );
      }
      if (joint.type.value === mjJNT_BALL.value) {
        throw badInput(`${modelPath}: ball joint ${name} is not supported. Use three hinge joints.`);
      }
      // Clear the range of an unlimited joint, so that it is not read as a limit.
      if (joint.limited.value === mj.mjtLimited.mjLIMITED_FALSE.value) joint.range.fill(0);
      const [lower, upper] = joint.range as Float64Array;
      if (lower! > upper!) {
        throw badInput(`${modelPath}: joint ${name} has inverted limits: ${lower} is above ${upper}`);
      }
    }
  }
}

/** Removes constraints and tendons to the world, which would hold the robot in place, those to removed objects, and
 *  constraints that are not active. */
function dropWorldTies(mj: MainModule, spec: MjSpec, warnings: string[]): void {
  const { mjOBJ_TENDON, mjOBJ_EQUALITY, mjOBJ_SITE, mjOBJ_JOINT, mjOBJ_BODY } = mj.mjtObj;
  const { mjEQ_CONNECT, mjEQ_WELD, mjEQ_JOINT, mjEQ_TENDON } = mj.mjtEq;
  const cords = elements(mj, spec, mjOBJ_TENDON).filter((element) => isLoose(mj, element));
  const names = cords.map((element) => mj.mjs_getName(element) || '(unnamed)');
  for (const element of cords) mj.mjs_delete(spec, element);
  if (cords.length > 0)
    warnings.push(`${counted(cords.length, 'tendon')} to the world or to removed objects removed: ${listed(names)}`);
  const left = (kind: typeof mjOBJ_SITE | typeof mjOBJ_JOINT | typeof mjOBJ_TENDON) =>
    new Set(elementNames(mj, spec, kind));
  const sites = left(mjOBJ_SITE);
  const others = new Map<number, Set<string>>([
    [mjEQ_JOINT.value, left(mjOBJ_JOINT)],
    [mjEQ_TENDON.value, left(mjOBJ_TENDON)],
  ]);
  const isTie = (element: MjsElement) => {
    const { type, objtype, name1, name2 } = mj.mjs_asEquality(element)!;
    const tying = type.value === mjEQ_CONNECT.value || type.value === mjEQ_WELD.value;
    if (tying && objtype.value === mjOBJ_BODY.value)
      return [name1, name2].some((name) => name === '' || name === 'world');
    const known = tying ? sites : others.get(type.value);
    return known !== undefined && [name1, name2].some((name) => name !== '' && !known.has(name));
  };
  // The state of a compiled constraint cannot be read (mjModel.eq_active0 has no binding), so each of them must be
  // active.
  for (const element of elements(mj, spec, mjOBJ_EQUALITY))
    if (!mj.mjs_asEquality(element)!.active) mj.mjs_delete(spec, element);
  const ties = elements(mj, spec, mjOBJ_EQUALITY).filter(isTie);
  for (const element of ties) mj.mjs_delete(spec, element);
  if (ties.length > 0) warnings.push(`${counted(ties.length, 'constraint')} to the world removed`);
}

/** Returns whether a tendon passes a site, geom or joint that was removed. */
function isLoose(mj: MainModule, element: MjsElement): boolean {
  const tendon = mj.mjs_asTendon(element)!;
  return Array.from({ length: mj.mjs_getWrapNum(tendon) }, (_, k) => mj.mjs_getWrap(tendon, k)!).some(
    (wrap) => wrap.type.value !== mj.mjtWrap.mjWRAP_PULLEY.value && !mj.mjs_getWrapTarget(wrap),
  );
}
