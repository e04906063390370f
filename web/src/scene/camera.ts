/** A camera on a sphere around a target, z up. Angles in rad, lengths in m.
 *  Azimuth 0 looks from +x towards the target and grows towards +y; elevation 0 is level. */
export interface Orbit {
  azimuth: number;
  elevation: number;
  distance: number;
  target: [number, number, number];
}

export type SnapAxis = 'x' | 'y' | 'z';
type Vec3 = [number, number, number];

export const MAX_ELEVATION = (89.5 * Math.PI) / 180;
const MIN_ELEVATION = (-20 * Math.PI) / 180;
const MIN_DISTANCE = 0.15;
const MAX_DISTANCE = 120;
const withinReach = (distance: number) => Math.min(MAX_DISTANCE, Math.max(MIN_DISTANCE, distance));

/** Returns the unit vectors of the picture in the world frame: right, up, and towards the eye. */
export function basis(
  azimuth: number,
  elevation: number,
): { readonly right: Vec3; readonly up: Vec3; readonly toward: Vec3 } {
  const sa = Math.sin(azimuth);
  const ca = Math.cos(azimuth);
  const se = Math.sin(elevation);
  const ce = Math.cos(elevation);
  return { right: [-sa, ca, 0], up: [-se * ca, -se * sa, ce], toward: [ce * ca, ce * sa, se] };
}

/** Returns the directions of the world's x, y and z axes in the picture. */
export function cameraAxes(
  azimuth: number,
  elevation: number,
): readonly { readonly right: number; readonly up: number; readonly toward: number }[] {
  const { right, up, toward } = basis(azimuth, elevation);
  return [0, 1, 2].map((axis) => ({ right: right[axis]!, up: up[axis]!, toward: toward[axis]! }));
}

export function eyeOf({ azimuth, elevation, distance, target }: Orbit): Vec3 {
  const { toward } = basis(azimuth, elevation);
  return [target[0] + distance * toward[0], target[1] + distance * toward[1], target[2] + distance * toward[2]];
}

/** Orbits around the target; a drag across `height` is half a turn. @param dx px @param dy px */
export function orbitBy(orbit: Orbit, dx: number, dy: number, height: number): void {
  orbit.azimuth -= (Math.PI * dx) / height;
  orbit.elevation = Math.min(MAX_ELEVATION, Math.max(MIN_ELEVATION, orbit.elevation + (Math.PI * dy) / height));
}

/** Returns the metres per pixel at the target for a picture `height` px high. @param fov rad, vertical */
export function metresPerPixel(distance: number, fov: number, height: number): number {
  return (2 * distance * Math.tan(fov / 2)) / Math.max(1, height);
}

/** Moves the target so that the point under the pointer stays under it. @param dx px @param dy px */
export function panBy(orbit: Orbit, dx: number, dy: number, fov: number, height: number): void {
  const scale = metresPerPixel(orbit.distance, fov, height);
  const { right, up } = basis(orbit.azimuth, orbit.elevation);
  for (let axis = 0; axis < 3; axis++) {
    orbit.target[axis] = orbit.target[axis]! + scale * (dy * up[axis]! - dx * right[axis]!);
  }
}

/** @param factor below 1 moves the camera closer */
export function zoomBy(orbit: Orbit, factor: number): void {
  orbit.distance = withinReach(orbit.distance * factor);
}

/** Returns the distance from which a box fills `share` of the picture in its tighter direction.
 *  @param width m, of the box across the picture @param height m @param fov rad, vertical
 *  @param aspect width of the picture divided by its height */
export function fitDistance(width: number, height: number, fov: number, aspect: number, share: number): number {
  const tangent = Math.tan(fov / 2);
  const byHeight = height / (2 * tangent * share);
  const byWidth = width / (2 * tangent * aspect * share);
  return withinReach(Math.max(byHeight, byWidth));
}

/** Limits for fitting points into a picture. */
export interface Framing {
  /** margin around each point, m: across the picture, and upwards and downwards */
  readonly across: number;
  readonly high: number;
  /** vertical field of view, rad */
  readonly fov: number;
  /** width of the picture divided by its height */
  readonly aspect: number;
  /** share of the picture that the points may fill in each direction, 0..1 */
  readonly share: number;
}

/** Largest distance of the focused point from the middle of the picture; 1 is the distance from the middle to the
 *  edge. */
const NEAR_MIDDLE = 0.45;
/** Maximum factor by which moving the focused point towards the middle may increase the distance of the camera. */
const MOST_GROWTH = 1.05;
/** Number of bisection steps that find the middle of the picture, to 1e-11 of the extent of the points. */
const HALVINGS = 36;

/** Returns the nearest camera place from which all points fit into `share` of the picture, perspective included. The
 *  picture is then moved towards the focused point, as far as this costs little distance and no point leaves it.
 *  @param points (n, 3) m  @param focus index of the focused point; −1 for none
 *  @returns the target lies at the mean depth of the points */
export function fitPoints(
  points: readonly (readonly number[])[],
  { azimuth, elevation }: Pick<Orbit, 'azimuth' | 'elevation'>,
  framing: Framing,
  focus = -1,
): Pick<Orbit, 'distance' | 'target'> {
  const { right, up, toward } = basis(azimuth, elevation);
  const along = (axis: Vec3) => points.map((p) => axis[0] * p[0]! + axis[1] * p[1]! + axis[2] * p[2]!);
  const depths = along(toward);
  const slope = Math.tan(framing.fov / 2) * framing.share;
  // Each side of the picture bounds the eye: |place − middle| + margin ≤ k·(eye − depth).
  const sides = [
    { places: along(right), k: slope * framing.aspect, margin: framing.across },
    { places: along(up), k: slope, margin: framing.high },
  ].map(({ places, k, margin }) => {
    const most = Math.max(...places.map((x, j) => x + k * depths[j]!));
    const least = Math.max(...places.map((x, j) => k * depths[j]! - x));
    const eyeFor = (middle: number) => (Math.max(most - middle, least + middle) + margin) / k;
    return { places, k, margin, tightest: (most - least) / 2, eyeFor };
  });
  const free = Math.max(...sides.map(({ tightest, eyeFor }) => eyeFor(tightest)));
  const deep = depths.reduce((sum, depth) => sum + depth, 0) / depths.length;
  const limit = deep + MOST_GROWTH * (free - deep);
  let eye = free;
  const middles = sides.map(({ places, k, margin, eyeFor }) => {
    const middle = middleAt(places, depths, free, margin);
    const place = places[focus];
    if (place === undefined) return middle;
    const reach = NEAR_MIDDLE * k * (free - depths[focus]!);
    const wanted = middle + Math.sign(place - middle) * Math.max(0, Math.abs(place - middle) - reach);
    // `eyeFor` grows linearly with the distance from its minimum, so the limit bounds the move.
    const least = eyeFor(middle);
    const slopeOf = 1 / k;
    const most = Math.max(0, (limit - least) / slopeOf);
    const moved = middle + Math.max(-most, Math.min(most, wanted - middle));
    eye = Math.max(eye, eyeFor(moved));
    return moved;
  });
  return {
    distance: withinReach(eye - deep),
    target: right.map((x, k) => middles[0]! * x + middles[1]! * up[k]! + deep * toward[k]!) as Vec3,
  };
}

/** Returns the place of the picture's middle that leaves equal room at both ends, seen from depth `eye`. In perspective
 *  it is not the middle of the extent: near points take more room.
 *  @param places (n,) m, along one side of the picture @param depths (n,) m, towards the eye @param margin m */
function middleAt(places: readonly number[], depths: readonly number[], eye: number, margin: number): number {
  let low = Math.min(...places) - margin;
  let high = Math.max(...places) + margin;
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    let above = 0;
    let below = 0;
    for (let k = 0; k < places.length; k++) {
      const away = eye - depths[k]!;
      above = Math.max(above, (places[k]! - middle + margin) / away);
      below = Math.max(below, (middle - places[k]! + margin) / away);
    }
    if (above > below) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Returns the angles that look along an axis from its positive end, or from its negative end if the camera already
 *  looks from the positive end. */
export function snapAngles(
  axis: SnapAxis,
  azimuth: number,
  elevation: number,
): { readonly azimuth: number; readonly elevation: number } {
  if (axis === 'z') return { azimuth, elevation: MAX_ELEVATION };
  const positive = axis === 'x' ? 0 : Math.PI / 2;
  const there = Math.abs(wrap(azimuth - positive)) < 1e-3 && Math.abs(elevation) < 1e-3;
  return { azimuth: nearest(there ? positive + Math.PI : positive, azimuth), elevation: 0 };
}

/** Wraps an angle to [−π, π], rad. */
export function wrap(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

/** Returns `angle` plus the number of whole turns that brings it nearest to `to`, rad. */
export function nearest(angle: number, to: number): number {
  return to + wrap(angle - to);
}

/** Returns the share of the way to a robot that a following camera covers in `dt` s: a first-order lag, which depends
 *  on the elapsed time and not on the number of pictures. If more than `most` would remain, it covers all but `most`,
 *  so that the robot stays in the picture.
 *  @param ahead distance between the robot and the camera's target, m @param tau time constant, s @param most m */
export function followShare(ahead: number, dt: number, tau: number, most: number): number {
  const share = lag(dt, tau);
  return (1 - share) * ahead > most ? 1 - most / ahead : share;
}

/** Returns the time by which the camera moves in a picture, s. After a rest, in which nothing was drawn, movement
 *  starts with the first change.
 *  @param now ms @param lastDraw of the last picture, ms @param changed first change since the last picture, ms
 *  @param rest time without change that is regarded as a rest, ms */
export function elapsedS(now: number, lastDraw: number, changed: number, rest: number): number {
  return Math.max(0, now - (changed - lastDraw > rest ? changed : lastDraw)) / 1000;
}

/** Returns the share of the distance that a first-order lag with time constant `tau` s covers in `dt` s. */
export function lag(dt: number, tau: number): number {
  return 1 - Math.exp(-Math.max(0, dt) / tau);
}
