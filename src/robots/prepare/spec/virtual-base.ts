import type { MainModule, MjSpec, MjsBody, MjsGeom } from '../../../sim/mujoco.ts';
import { children, elements } from '../../../sim/spec-elements.ts';
import { listed } from '../text/wording.ts';
import { moveContents } from './orientation.ts';
import { placeBodies } from './upright.ts';

/** Maximum mass of a body that only carries joints of a virtual base, kg. */
const VIRTUAL_MASS = 0.02;
/** If a root's frame is lower than this share of the height of the body frames, it is on the ground. */
const GROUND_SHARE = 0.1;
/** Minimum distance over which a root's frame is moved, m. */
const LEAST_SHIFT = 0.05;

/** Removes the joints of a virtual base: bodies without shapes and mass between the root and the first real body, with
 *  at least two slide joints. Planar models are fixed to the world in this way. A free joint replaces them.
 *  @returns one sentence for a change, otherwise an empty list */
export function dropVirtualBase(mj: MainModule, spec: MjSpec, root: MjsBody): string[] {
  const slide = mj.mjtJoint.mjJNT_SLIDE.value;
  const found: ReturnType<typeof children> = [];
  for (const body of bareChain(mj, root, VIRTUAL_MASS).slice(1))
    found.push(...children(mj, body, mj.mjtObj.mjOBJ_JOINT));
  const slides = found.filter((element) => mj.mjs_asJoint(element)!.type.value === slide);
  if (slides.length < 2) return [];
  const names = found.map((element) => mj.mjs_getName(element));
  for (const element of found) mj.mjs_delete(spec, element);
  return [`joints ${listed(names)} of a virtual base were replaced by the free joint of the root`];
}

/** Moves the frame of a root without collision shapes from the ground to the first body with such shapes, which is
 *  fixed to it. Heights of the base are measured at this frame.
 *  @returns one sentence for a change, otherwise an empty list */
export function liftRootFrame(mj: MainModule, spec: MjSpec, root: MjsBody): string[] {
  const shapes = elements(mj, spec, mj.mjtObj.mjOBJ_GEOM).map((element) => mj.mjs_asGeom(element)!);
  const collides = ({ contype, conaffinity }: MjsGeom) => contype !== 0 || conaffinity !== 0;
  // The base_footprint of some robots has a visible marker. In a model where nothing collides, any shape may be solid.
  const isSolid = shapes.some(collides) ? collides : () => true;
  const chain = bareChain(mj, root, Number.POSITIVE_INFINITY, isSolid);
  const first = chain.at(-1)!;
  const isFixed = (body: MjsBody) => children(mj, body, mj.mjtObj.mjOBJ_JOINT).length === 0;
  if (chain.length < 2 || !chain.slice(1).every(isFixed)) return [];
  const placed = placeBodies(mj, spec, root);
  const heights = placed.map(({ position }) => position[2]!);
  const lowest = Math.min(...heights);
  const name = mj.mjs_getName(first.element);
  const shift = placed.find((body) => body.name === name)!.position;
  if (-lowest > GROUND_SHARE * (Math.max(...heights) - lowest) || Math.hypot(...shift) < LEAST_SHIFT) return [];
  moveContents(
    mj,
    root,
    shift.map((value) => -value),
  );
  const metres = shift.map((value) => Number(value.toFixed(4))).join(' ');
  return [
    `root body ${mj.mjs_getName(root.element)} has its frame on the ground, so the frame was moved by ${metres} m to that of ${name}. ` +
      'Add this to root positions of clips made for the file',
  ];
}

/** Lists the root and the bodies below it up to the first one, included, with solid shapes, several children, or more
 *  than `mass` kg. */
function bareChain(
  mj: MainModule,
  root: MjsBody,
  mass: number,
  isSolid: (geom: MjsGeom) => boolean = () => true,
): MjsBody[] {
  const { mjOBJ_BODY, mjOBJ_GEOM } = mj.mjtObj;
  const chain = [root];
  for (;;) {
    const body = chain.at(-1)!;
    const below = children(mj, body, mjOBJ_BODY);
    const hasShape = children(mj, body, mjOBJ_GEOM).some((element) => isSolid(mj.mjs_asGeom(element)!));
    const isBare = !hasShape && (!body.explicitinertial || body.mass <= mass);
    if (!isBare || below.length !== 1) return chain;
    chain.push(mj.mjs_asBody(below[0]!)!);
  }
}
