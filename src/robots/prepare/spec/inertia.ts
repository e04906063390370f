import { badInput } from '../../../core/errors.ts';
import { otherSide } from '../../../protocol/part-sides.ts';
import type { MainModule, MjSpec, MjsBody } from '../../../sim/mujoco.ts';
import { children } from '../../../sim/spec-elements.ts';
import type { ModelFormat } from '../prepared-model.ts';
import { listed } from '../text/wording.ts';
import { bodiesBelow } from './reading.ts';

/** Mass (kg) and inertia (kg·m²) of a moving link without mass: negligible for a robot, but large enough for
 *  the solver. */
const SMALLEST = { mass: 0.01, inertia: 1e-4 };
/** Stated mass of a rigid part, kg, from which its links without `<inertial>` weigh nothing. A lighter stated mass is
 *  that of a sensor. */
const LEAST_STATED = 0.1;
/** Largest difference of the masses of both sides, as a share, with which they are treated as mirror images. */
const SAME_MASS = 0.02;
/** Density of the ball whose inertia replaces an impossible inertia, kg/m³. */
const DENSITY = 1000;

/** Repairs inertias that MuJoCo refuses: moving bodies without mass, eigenvalues that are not positive, and an
 *  eigenvalue larger than the sum of the other two. An inertia that is not positive is replaced by that of the same body
 *  on the other side, so that the sides stay alike, or by that of a ball.
 *
 *  A URDF link without `<inertial>` weighs nothing if a link fixed to it states a mass, as with a base whose mass is in
 *  a link of its own. Otherwise it has the mass of its shapes, or a small mass if it moves without shapes; such links
 *  are common as frames between two joints. A moving link with a stated mass of zero, as fingers of many hands have, gets the small
 *  mass too. A moving body of zero mass in an MJCF is an error, because MuJoCo would refuse it.
 *  @returns one sentence for each kind of change, naming the bodies
 *  @throws StudioError bad_input for a negative mass, or a moving body of zero mass in an MJCF */
export function repairInertias(
  mj: MainModule,
  spec: MjSpec,
  root: MjsBody,
  modelPath: string,
  format: ModelFormat,
): string[] {
  const bodies = [root, ...bodiesBelow(mj, root)];
  const nameOf = (body: MjsBody) => mj.mjs_getName(body.element);
  const names = bodies.map(nameOf);
  const fixes = {
    mirrored: [] as string[],
    impossible: [] as string[],
    unbalanced: [] as string[],
    massless: [] as string[],
    zero: [] as string[],
  };
  for (const body of bodies) {
    if (!body.explicitinertial) continue;
    if (body.mass < 0) throw badInput(`${modelPath}: body ${nameOf(body)} has a mass of ${body.mass} kg`);
    if (body.mass === 0) {
      setInertia(body, 0);
      continue;
    }
    const [smallest, middle, largest] = principal(body);
    const image =
      smallest > 1e-15 ? null : possibleImage(body, bodies[names.indexOf(otherSide(nameOf(body), names) ?? '')]);
    if (image) {
      mirrorInertia(image, body);
      fixes.mirrored.push(nameOf(body));
    } else if (!(smallest > 1e-15)) {
      const radius = Math.cbrt((3 * body.mass) / (4 * Math.PI * DENSITY));
      setInertia(body, 0.4 * body.mass * radius * radius);
      fixes.impossible.push(nameOf(body));
    } else if (smallest + middle < largest * (1 - 1e-6)) {
      setInertia(body, (smallest + middle + largest) / 3);
      fixes.unbalanced.push(nameOf(body));
    }
  }
  spec.compiler.balanceinertia = true; // correct violations that are due to rounding
  if (!bodies.some((body) => hasMass(mj, spec, body)))
    throw badInput(`${modelPath}: all ${bodies.length} bodies have zero mass. State masses in the file.`);
  const massless = bodies.filter(
    (body) => children(mj, body, mj.mjtObj.mjOBJ_JOINT).length > 0 && !movesMass(mj, spec, body),
  );
  if (format === 'mjcf' && massless.length > 0) {
    throw badInput(
      `${modelPath}: joints move bodies of zero mass, ${listed(massless.map(nameOf))}. State their mass and inertia in the file.`,
    );
  }
  const shaped = { heavy: [] as MjsBody[], light: [] as MjsBody[] };
  for (const group of format === 'urdf' ? rigidGroups(mj, root) : []) {
    const stated = group.reduce((sum, body) => sum + (body.explicitinertial ? body.mass : 0), 0) >= LEAST_STATED;
    const unstated = group.filter((body) => !body.explicitinertial && hasMass(mj, spec, body));
    shaped[stated ? 'light' : 'heavy'].push(...unstated);
  }
  for (const body of shaped.light) stateInertia(body, { mass: 0, inertia: 0 });
  for (const body of massless) {
    (body.explicitinertial ? fixes.zero : fixes.massless).push(nameOf(body));
    stateInertia(body, SMALLEST);
  }
  return [
    [shaped.heavy.map(nameOf), 'without a stated mass: given the mass of their shapes at 1000 kg/m³'] as const,
    [
      shaped.light.map(nameOf),
      'without a stated mass: given no mass, because a link fixed to them states one',
    ] as const,
    [fixes.massless, `moving without a stated mass: given ${SMALLEST.mass} kg and ${SMALLEST.inertia} kg·m²`] as const,
    [
      fixes.zero,
      `moving with a stated mass of zero: given ${SMALLEST.mass} kg and ${SMALLEST.inertia} kg·m² (state their masses in the file if they matter)`,
    ] as const,
    [fixes.mirrored, 'with an impossible inertia: given that of the same body on the other side'] as const,
    [fixes.impossible, 'with an impossible inertia: given the inertia of a ball of the same mass'] as const,
    [fixes.unbalanced, 'whose principal inertias violate A + B ≥ C: given the mean of the three values'] as const,
  ].flatMap(([names, words]) => (names.length === 0 ? [] : [`bodies ${words}: ${listed(names)}`]));
}

function stateInertia(body: MjsBody, { mass, inertia }: typeof SMALLEST): void {
  body.explicitinertial = true;
  body.mass = mass;
  body.ipos.fill(0);
  setInertia(body, inertia);
}

/** Returns the bodies below and including `root`, grouped by rigid part: a group has no joint within it. */
function rigidGroups(mj: MainModule, root: MjsBody): MjsBody[][] {
  const groups: MjsBody[][] = [[root]];
  const add = (body: MjsBody, group: MjsBody[]) => {
    for (const element of children(mj, body, mj.mjtObj.mjOBJ_BODY)) {
      const child = mj.mjs_asBody(element)!;
      const fixed = children(mj, child, mj.mjtObj.mjOBJ_JOINT).length === 0;
      const own = fixed ? group : [];
      if (!fixed) groups.push(own);
      own.push(child);
      add(child, own);
    }
  };
  add(root, groups[0]!);
  return groups;
}

/** Returns the body on the other side if its inertia can replace an impossible one; otherwise null. */
function possibleImage(body: MjsBody, other: MjsBody | undefined): MjsBody | null {
  if (!other?.explicitinertial || Math.abs(other.mass - body.mass) > SAME_MASS * body.mass) return null;
  const [smallest, middle, largest] = principal(other);
  return smallest > 1e-15 && smallest + middle >= largest * (1 - 1e-6) ? other : null;
}

/** Gives `body` the inertia of `other`, mirrored at the plane y = 0 of its frame. */
function mirrorInertia(other: MjsBody, body: MjsBody): void {
  const [xx, yy, zz, xy, xz, yz] = other.fullinertia as unknown as readonly [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  body.fullinertia.set([xx, yy, zz, -xy, xz, -yz]);
  body.inertia.set(other.inertia);
  const [w, x, y, z] = other.iquat as unknown as readonly [number, number, number, number];
  body.iquat.set([w, -x, y, -z]);
}

/** Sets an equal inertia about every axis. */
function setInertia(body: MjsBody, value: number): void {
  body.fullinertia.fill(Number.NaN);
  body.inertia.fill(value);
}

/** Returns the principal inertias, kg·m², smallest first; NaN if the matrix contains NaN. */
function principal(body: MjsBody): [number, number, number] {
  const full = body.fullinertia as Float64Array;
  if (Number.isNaN(full[0]!))
    return Array.from(body.inertia as Float64Array).sort((a, b) => a - b) as [number, number, number];
  return eigenvalues(full as unknown as readonly [number, number, number, number, number, number]);
}

/** Returns the eigenvalues of the symmetric matrix xx yy zz xy xz yz, smallest first. */
export function eigenvalues([xx, yy, zz, xy, xz, yz]: readonly [number, number, number, number, number, number]): [
  number,
  number,
  number,
] {
  const off = xy * xy + xz * xz + yz * yz;
  const mean = (xx + yy + zz) / 3;
  const [a, b, c] = [xx - mean, yy - mean, zz - mean];
  const spread = Math.sqrt((a * a + b * b + c * c + 2 * off) / 6);
  if (!(spread > 1e-150)) return [mean, mean, mean];
  const unit = (value: number) => value / spread; // Scale the matrix, because cubes of small numbers underflow.
  const [p, q, r, u, v, w] = [unit(a), unit(b), unit(c), unit(xy), unit(xz), unit(yz)];
  const half = (p * (q * r - w * w) - u * (u * r - w * v) + v * (u * w - q * v)) / 2;
  const angle = Math.acos(Math.min(1, Math.max(-1, half))) / 3;
  const largest = mean + 2 * spread * Math.cos(angle);
  const smallest = mean + 2 * spread * Math.cos(angle + (2 * Math.PI) / 3);
  return [smallest, 3 * mean - largest - smallest, largest];
}

/** Returns whether the body, or a body fixed to it, has mass. */
function movesMass(mj: MainModule, spec: MjSpec, body: MjsBody): boolean {
  const { mjOBJ_BODY, mjOBJ_JOINT } = mj.mjtObj;
  return (
    hasMass(mj, spec, body) ||
    children(mj, body, mjOBJ_BODY).some((element) => {
      const child = mj.mjs_asBody(element)!;
      return children(mj, child, mjOBJ_JOINT).length === 0 && movesMass(mj, spec, child);
    })
  );
}

function hasMass(mj: MainModule, spec: MjSpec, body: MjsBody): boolean {
  const { mjINERTIAFROMGEOM_TRUE, mjINERTIAFROMGEOM_FALSE } = mj.mjtInertiaFromGeom;
  const rule = spec.compiler.inertiafromgeom.value;
  if (body.explicitinertial && rule !== mjINERTIAFROMGEOM_TRUE.value) return body.mass > 0;
  if (rule === mjINERTIAFROMGEOM_FALSE.value) return false;
  const [low, high] = spec.compiler.inertiagrouprange as Int32Array;
  return children(mj, body, mj.mjtObj.mjOBJ_GEOM).some((element) => {
    const geom = mj.mjs_asGeom(element)!;
    if (geom.group < low! || geom.group > high!) return false;
    return Number.isNaN(geom.mass) ? geom.density > 0 : geom.mass > 0;
  });
}
