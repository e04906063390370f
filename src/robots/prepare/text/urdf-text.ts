import { badInput } from '../../../core/errors.ts';
import type { ModelFolder } from '../model-folder.ts';
import type { Mimic } from '../prepared-model.ts';
import { placeMeshes } from './urdf-meshes.ts';
import { enlargePoints } from './urdf-points.ts';
import { checkNumbers, counted, listed, refusal } from './wording.ts';
import { descendants, MAX_DEPTH, writeXml, type XmlElement } from './xml.ts';

/** A URDF as text for MuJoCo's reader. The other fields hold what this reader ignores in a URDF: limits of velocity and
 *  effort, and joints that follow another joint. */
export interface UrdfText {
  readonly xml: string;
  readonly warnings: readonly string[];
  readonly velocityLimits: ReadonlyMap<string, number>;
  readonly effortLimits: ReadonlyMap<string, number>;
  readonly mimics: ReadonlyMap<string, Mimic>;
}

const MAX_LINKS = 1000;
const INFINITE = /^\s*\+?inf(inity)?\s*$/i;
const MINUS_INFINITE = /^\s*-inf(inity)?\s*$/i;
/** Name of a link that MuJoCo's reader takes as the world instead of a body. */
const WORLD = 'world';
const JOINT_TYPES = ['revolute', 'continuous', 'prismatic', 'fixed', 'floating', 'planar'];

/** Prepares a URDF for MuJoCo's reader: resolves mesh paths and collects limits. Links, joints and geometry are kept.
 *  @throws StudioError bad_input with file and line */
export function rewriteUrdf(root: XmlElement, modelPath: string, modelFolder: ModelFolder): UrdfText {
  checkXacro(root, modelPath);
  dropInfiniteLimits(root);
  checkNumbers(root, modelPath);
  const warnings: string[] = [];
  root.children = root.children.filter(({ name }) => ['link', 'joint', 'material'].includes(name));
  checkTree(root, modelPath, warnings);
  takeWorldLink(root, warnings);
  const joints = root.children.filter(({ name }) => name === 'joint');
  const velocityLimits = new Map<string, number>();
  const effortLimits = new Map<string, number>();
  const unlimited: string[] = [];
  for (const joint of joints) {
    const name = nameOf(joint);
    const limit = joint.children.find((child) => child.name === 'limit');
    const velocity = numberOf(limit, 'velocity');
    const effort = numberOf(limit, 'effort');
    if (velocity !== null && velocity > 0) velocityLimits.set(name, velocity);
    if (effort !== null && effort > 0) effortLimits.set(name, effort);
    limit?.attributes.delete('effort');
    fixLimits(joint, limit, modelPath, warnings, unlimited);
  }
  if (unlimited.length > 0) warnings.push(`joints without a range are treated as unlimited: ${listed(unlimited)}`);
  const mimics = readMimics(joints, warnings);
  warnings.push(...enlargePoints(root));
  warnings.push(...placeMeshes(root, modelPath, modelFolder));
  root.children.unshift(compiler(root.line));
  return { xml: writeXml(root), warnings, velocityLimits, effortLimits, mimics };
}

/** Returns compiler settings: every link stays a body, visual geometry stays, angles are in rad, files have their full
 *  path. */
function compiler(line: number): XmlElement {
  const settings = { fusestatic: 'false', discardvisual: 'false', strippath: 'false', balanceinertia: 'true' };
  const element = { name: 'compiler', attributes: new Map(Object.entries(settings)), children: [], line };
  return { name: 'mujoco', attributes: new Map(), children: [element], line };
}

function nameOf(element: XmlElement): string {
  return element.attributes.get('name') ?? '';
}

function numberOf(element: XmlElement | undefined, key: string): number | null {
  const value = Number.parseFloat(element?.attributes.get(key) ?? '');
  return Number.isFinite(value) ? value : null;
}

function checkXacro(root: XmlElement, file: string): void {
  for (const element of descendants(root)) {
    const expression = [...element.attributes.values()].some((value) => value.includes('${'));
    if (!element.name.startsWith('xacro:') && !expression) continue;
    throw refusal(file, element, 'is xacro, not URDF. Expand the file first (xacro robot.urdf.xacro > robot.urdf).');
  }
}

/** Checks that links and joints form one tree. Links without any joint are removed. */
function checkTree(root: XmlElement, file: string, warnings: string[]): void {
  const links = new Map<string, XmlElement>();
  const joints = new Map<string, XmlElement>();
  const parents = new Map<string, string>();
  for (const element of root.children) {
    if (element.name === 'material') continue;
    const known = element.name === 'link' ? links : joints;
    const name = nameOf(element);
    if (name === '') throw refusal(file, element, 'has no name');
    const twin = known.get(name);
    if (twin) throw refusal(file, element, `is defined twice, first on line ${twin.line}`);
    known.set(name, element);
  }
  if (links.size === 0) throw badInput(`${file} has no links`);
  if (links.size > MAX_LINKS) throw badInput(`${file} has ${links.size} links, the limit is ${MAX_LINKS}`);
  for (const joint of joints.values()) {
    const type = joint.attributes.get('type') ?? '';
    if (!JOINT_TYPES.includes(type))
      throw refusal(file, joint, `type "${type}" is unknown. Use one of ${JOINT_TYPES.join(', ')}.`);
    const end = (role: string) => {
      const link = joint.children.find(({ name }) => name === role)?.attributes.get('link') ?? '';
      if (!links.has(link)) throw refusal(file, joint, `its ${role} link "${link}" does not exist`);
      return link;
    };
    const child = end('child');
    if (parents.has(child)) throw refusal(file, joint, `link ${child} already has a parent, ${parents.get(child)}`);
    parents.set(child, end('parent'));
  }
  const holding = new Set(parents.values());
  const tops = [...links.keys()].filter((name) => !parents.has(name));
  const roots = tops.filter((name) => holding.has(name) || links.size === 1);
  if (roots.length === 0) throw badInput(`${file} has no root link: its joints form a loop`);
  if (roots.length > 1) throw badInput(`${file} must have one root link, but has ${roots.length}: ${listed(roots)}`);
  checkRing(parents, links.size, file);
  const loose = tops.filter((name) => !roots.includes(name));
  if (loose.length === 0) return;
  root.children = root.children.filter((element) => element.name !== 'link' || !loose.includes(nameOf(element)));
  warnings.push(`${counted(loose.length, 'link')} without a joint removed: ${listed(loose)}`);
}

function checkRing(parents: ReadonlyMap<string, string>, links: number, file: string): void {
  for (const start of parents.keys()) {
    let steps = 0;
    for (let link: string | undefined = start; link !== undefined; link = parents.get(link)) {
      if (++steps > links) throw badInput(`${file}: the joints around link ${start} form a loop`);
    }
    if (steps > MAX_DEPTH) throw badInput(`${file}: link ${start} is ${steps} links deep, the limit is ${MAX_DEPTH}`);
  }
}

/** Removes limits of infinity, which limit nothing. A joint with one infinite end of its range has no range. */
function dropInfiniteLimits(root: XmlElement): void {
  for (const { name, children } of root.children) {
    for (const { name: part, attributes } of name === 'joint' ? children : []) {
      if (part !== 'limit') continue;
      const isInfinite = (key: string, sign: RegExp) => sign.test(attributes.get(key) ?? '');
      for (const key of ['effort', 'velocity']) if (isInfinite(key, INFINITE)) attributes.delete(key);
      if (!isInfinite('lower', MINUS_INFINITE) && !isInfinite('upper', INFINITE)) continue;
      attributes.delete('lower');
      attributes.delete('upper');
    }
  }
}

/** Renames a root link without mass and shapes to `world` if its only joint is floating, as in a URDF with a root
 *  `odom`: MuJoCo then gives the other link a free joint. */
function takeWorldLink(root: XmlElement, warnings: string[]): void {
  const links = root.children.filter(({ name }) => name === 'link');
  const joints = root.children.filter(({ name }) => name === 'joint');
  const end = (joint: XmlElement, role: string) => joint.children.find(({ name }) => name === role)!;
  const linkOf = (joint: XmlElement, role: string) => end(joint, role).attributes.get('link');
  const top = links.find((link) => !joints.some((joint) => linkOf(joint, 'child') === nameOf(link)))!;
  const [first, ...others] = joints.filter((joint) => linkOf(joint, 'parent') === nameOf(top));
  const isFrame = !top.children.some(({ name }) => ['inertial', 'visual', 'collision'].includes(name));
  const floats = first?.attributes.get('type') === 'floating' && others.length === 0;
  if (!isFrame || !floats || links.some((link) => nameOf(link) === WORLD)) return;
  warnings.push(`root link ${nameOf(top)}, which has no mass and shapes, is treated as the world`);
  top.attributes.set('name', WORLD);
  end(first, 'parent').attributes.set('link', WORLD);
}

function fixLimits(
  joint: XmlElement,
  limit: XmlElement | undefined,
  file: string,
  warnings: string[],
  unlimited: string[],
): void {
  const type = joint.attributes.get('type');
  if (type === 'continuous') {
    limit?.attributes.delete('lower');
    limit?.attributes.delete('upper');
  }
  if (type !== 'revolute' && type !== 'prismatic') return;
  const lower = numberOf(limit, 'lower') ?? 0;
  const upper = numberOf(limit, 'upper') ?? 0;
  if (lower > upper) throw refusal(file, joint, `its limits are inverted: lower ${lower} is above upper ${upper}`);
  if (lower < upper) return;
  if (lower === 0) {
    limit?.attributes.delete('lower');
    limit?.attributes.delete('upper');
    unlimited.push(nameOf(joint));
  } else {
    joint.attributes.set('type', 'fixed');
    warnings.push(`joint ${nameOf(joint)} has the range ${lower} to ${upper}, so it is treated as fixed`);
  }
}

/** Reads and removes the mimic tags, because MuJoCo would add constraints of its own. */
function readMimics(joints: readonly XmlElement[], warnings: string[]): Map<string, Mimic> {
  const moving = new Map(
    joints
      .filter((joint) => ['revolute', 'continuous', 'prismatic'].includes(joint.attributes.get('type') ?? ''))
      .map((joint) => [nameOf(joint), joint]),
  );
  const mimics = new Map<string, Mimic>();
  const lost: string[] = [];
  for (const [name, joint] of moving) {
    const mimic = joint.children.find((child) => child.name === 'mimic');
    if (!mimic) continue;
    joint.children = joint.children.filter((child) => child !== mimic);
    const leader = mimic.attributes.get('joint') ?? '';
    if (leader === name || !moving.has(leader)) {
      lost.push(`${name} follows "${leader}"`);
      continue;
    }
    const multiplier = numberOf(mimic, 'multiplier') ?? 1;
    const offset = numberOf(mimic, 'offset') ?? 0;
    mimics.set(name, { joint: leader, multiplier, offset });
  }
  if (lost.length > 0) {
    warnings.push(
      `${counted(lost.length, 'mimic tag')} ignored, because no other moving joint has that name, so the joints get motors: ${listed(lost)}`,
    );
  }
  if (mimics.size > 0) {
    const names = [...mimics].map(([name, { joint }]) => `${name} follows ${joint}`);
    warnings.push(
      `${counted(mimics.size, 'mimic joint')} driven by equality constraints instead of motors: ${listed(names)}`,
    );
  }
  return mimics;
}
