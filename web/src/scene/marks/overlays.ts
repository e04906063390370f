import { Color, Group } from 'three';
import { type Frame, OVERLAY_STRIDE, type Overlay } from '../../../../src/protocol/frame.ts';
import type { Palette } from '../palette.ts';
import { along, at, MarkerPool, Ribbons, unitCone, unitRing, unitSphere } from './marker-pools.ts';

/** Bodies of the robot's wiring, as indices into the scene's bodies. */
export interface WiredBodies {
  readonly anchor: number;
  readonly keybodies: readonly number[];
  readonly feet: readonly number[];
}

export type MarkerKind = 'anchor' | 'foot' | 'keybody';

/** A marker that can have a label. */
export interface Marker {
  /** body index; −1 if the marker is not at the origin of a body */
  body: number;
  kind: MarkerKind;
  x: number;
  y: number;
  z: number;
}

const RADIUS = 0.017;
const ANCHOR_RADIUS = 0.021;
const HALO = 1.75;
const HALO_OPACITY = 0.22;
const AXIS_M = 0.16;
const CONTACT_RING = 0.0725;
const CONE_M = 0.042;
/** Radius of the ring around the focused robot, if there are several robots, m. */
const FOCUS_RING = 0.42;
const RING_PARTS = 48;
/** Straight pieces of a trail between two of its points. */
const CURVE_PARTS = 4;
/** Number of float32 values of a line: both end points. */
const LINE = OVERLAY_STRIDE.lines;
/** A marker is at a body's origin if their squared distance is below this value, m². */
const ON_BODY = 1e-8;

const AXES = [
  ['--axis-x', [1, 0, 0]],
  ['--axis-y', [0, 1, 0]],
  ['--axis-z', [0, 0, 1]],
] as const;

/** Draws the overlays of a frame. Markers of the robot's wiring have the colour of their body's role. */
export class Overlays {
  readonly group = new Group();
  /** wiring markers of the last frame; only the first `markerCount` are valid */
  readonly markers: Marker[] = [];
  markerCount = 0;
  wired: WiredBodies | null = null;
  readonly #spheres = new MarkerPool(this.group, unitSphere(), 1, 30);
  readonly #halos = new MarkerPool(this.group, unitSphere(), HALO_OPACITY, 29);
  readonly #rings = new MarkerPool(this.group, unitRing(), 0.95, 12);
  readonly #cones = new MarkerPool(this.group, unitCone(), 0.95, 31);
  readonly #axes = new Ribbons(3, false, 28);
  readonly #lines = new Ribbons(3, true, 5);
  readonly #focus = new Ribbons(4, true, 4);
  readonly #colours = { anchor: new Color(), foot: new Color(), keybody: new Color(), own: new Color() };
  readonly #axisColours = AXES.map(() => new Color());
  readonly #segment = new Float32Array(6);

  constructor() {
    this.group.add(this.#axes.mesh, this.#lines.mesh, this.#focus.mesh);
  }

  /** @param px height of the picture, CSS px */
  setHeight(px: number): void {
    for (const ribbons of [this.#axes, this.#lines, this.#focus]) ribbons.setHeight(px);
  }

  restyle(palette: Palette): void {
    this.#colours.anchor.copy(palette.colour('--anchor'));
    this.#colours.foot.copy(palette.colour('--foot'));
    this.#colours.keybody.copy(palette.colour('--keybody'));
    for (const [k, [token]] of AXES.entries()) this.#axisColours[k]!.copy(palette.colour(token));
  }

  /** @param groundZ height of the floor, m */
  update(frame: Frame, groundZ: number): void {
    const pools = [this.#spheres, this.#halos, this.#rings, this.#cones, this.#axes, this.#lines, this.#focus];
    for (const pool of pools) pool.begin();
    this.markerCount = 0;
    for (const overlay of frame.header.overlays) this.#draw(frame, overlay);
    const focused = focusedIn(frame);
    if (focused !== null) this.#ring(focused.x, focused.y, groundZ + 0.006);
    for (const pool of pools) pool.end();
  }

  dispose(): void {
    for (const pool of [this.#spheres, this.#halos, this.#rings, this.#cones, this.#axes, this.#lines, this.#focus])
      pool.dispose();
  }

  #ring(x: number, y: number, z: number): void {
    const segment = this.#segment;
    for (let k = 0; k < RING_PARTS; k++) {
      for (const end of [0, 1]) {
        const angle = (2 * Math.PI * (k + end)) / RING_PARTS;
        segment.set([x + FOCUS_RING * Math.cos(angle), y + FOCUS_RING * Math.sin(angle), z], 3 * end);
      }
      this.#focus.add(segment, 0, this.#colours.keybody, 1, 1);
    }
  }

  #draw(frame: Frame, overlay: Overlay): void {
    const { blob } = frame;
    const end = overlay.offset + overlay.count;
    const { stride } = overlay;
    switch (overlay.kind) {
      case 'spheres':
        for (let k = overlay.offset; k + stride <= end; k += stride) this.#sphere(frame, overlay, k, blob[k + 3]!);
        break;
      case 'points':
        for (let k = overlay.offset; k + stride <= end; k += stride) this.#sphere(frame, overlay, k, RADIUS * 0.7);
        break;
      case 'arrows':
        for (let k = overlay.offset; k + stride <= end; k += stride) this.#arrow(blob, overlay, k);
        break;
      case 'lines':
        this.#drawLines(blob, overlay);
    }
  }

  /** Draws lines. A line that begins at the end of the previous line continues its path. The path of a trail is a
   *  smooth curve that fades towards its oldest point, which comes first. */
  #drawLines(blob: Float32Array, overlay: Overlay): void {
    const colour = this.#colourOf(overlay, this.#colours.keybody);
    const trail = overlay.name === 'trail';
    const end = overlay.offset + overlay.count;
    let from = overlay.offset;
    while (from < end) {
      let to = from + LINE;
      while (to < end && continues(blob, to)) to += LINE;
      if (trail) this.#curve(blob, from, (to - from) / LINE, colour);
      else for (let k = from; k < to; k += LINE) this.#lines.add(blob, k, colour, 0.9, 0.9);
      from = to;
    }
  }

  /** Draws a path as a smooth curve through its points. @param pieces number of lines of the path */
  #curve(blob: Float32Array, from: number, pieces: number, colour: Color): void {
    const segment = this.#segment;
    const strength = (i: number) => 0.9 * (i / pieces) ** 1.4;
    for (let k = 0; k < pieces; k++) {
      for (let part = 0; part < CURVE_PARTS; part++) {
        const [a, b] = [k + part / CURVE_PARTS, k + (part + 1) / CURVE_PARTS];
        curvePoint(blob, from, pieces, a, segment, 0);
        curvePoint(blob, from, pieces, b, segment, 3);
        this.#lines.add(segment, 0, colour, strength(a), strength(b));
      }
    }
  }

  #colourOf({ colour }: Overlay, otherwise: Color): Color {
    return colour === undefined ? otherwise : this.#colours.own.setRGB(colour[0], colour[1], colour[2]);
  }

  #sphere(frame: Frame, overlay: Overlay, k: number, given: number): void {
    const { blob } = frame;
    const [x, y, z] = [blob[k]!, blob[k + 1]!, blob[k + 2]!];
    const body = overlay.name === 'wiring' ? this.#bodyOf(frame, overlay, (k - overlay.offset) / overlay.stride) : -1;
    const kind = this.#kindOf(body);
    if (overlay.name === 'wiring') {
      if (this.#known(body, kind, x, y, z)) return;
      if (kind === 'anchor') this.#anchorAxes(frame, body);
    }
    const radius = kind === 'anchor' && overlay.name === 'wiring' ? ANCHOR_RADIUS : given > 0 ? given : RADIUS;
    const colour =
      overlay.name === 'wiring' && body >= 0 ? this.#colours[kind] : this.#colourOf(overlay, this.#colours.keybody);
    this.#spheres.add(at(x, y, z, radius), colour);
    this.#halos.add(at(x, y, z, HALO * radius), colour);
  }

  /** Returns the body whose origin has the place of a wiring marker; −1 if none. If several bodies share this
   *  origin, the marker's index decides: the list names the anchor, the key bodies and the feet, in this order. */
  #bodyOf(frame: Frame, overlay: Overlay, index: number): number {
    const at = overlay.offset + overlay.stride * index;
    const [x, y, z] = [frame.blob[at]!, frame.blob[at + 1]!, frame.blob[at + 2]!];
    const { wired } = this;
    if (wired !== null) {
      const expected =
        index === 0 ? wired.anchor : (wired.keybodies[index - 1] ?? wired.feet[index - 1 - wired.keybodies.length]);
      if (expected !== undefined && expected >= 0 && liesOn(frame, expected, x, y, z)) return expected;
    }
    for (let body = 0; body < frame.header.nbody; body++) if (liesOn(frame, body, x, y, z)) return body;
    return -1;
  }

  #kindOf(body: number): MarkerKind {
    if (this.wired === null || body < 0) return 'keybody';
    if (body === this.wired.anchor) return 'anchor';
    return this.wired.feet.includes(body) ? 'foot' : 'keybody';
  }

  /** Returns whether a wiring marker was already added; adds it if not. A body with two roles (a foot that is also a
   *  key body) is therefore drawn once. */
  #known(body: number, kind: MarkerKind, x: number, y: number, z: number): boolean {
    for (let k = 0; k < this.markerCount; k++) {
      const other = this.markers[k]!;
      if (body >= 0 && other.body === body && Math.hypot(other.x - x, other.y - y, other.z - z) < 1e-4) return true;
    }
    let marker = this.markers[this.markerCount];
    if (marker === undefined) {
      marker = { body, kind, x, y, z };
      this.markers.push(marker);
    }
    Object.assign(marker, { body, kind, x, y, z });
    this.markerCount += 1;
    return false;
  }

  #anchorAxes(frame: Frame, body: number): void {
    const { blob } = frame;
    const p = frame.header.poses.offset + 7 * body;
    const [w, qx, qy, qz] = [blob[p + 3]!, blob[p + 4]!, blob[p + 5]!, blob[p + 6]!];
    const columns = [
      [1 - 2 * (qy * qy + qz * qz), 2 * (qx * qy + w * qz), 2 * (qx * qz - w * qy)],
      [2 * (qx * qy - w * qz), 1 - 2 * (qx * qx + qz * qz), 2 * (qy * qz + w * qx)],
      [2 * (qx * qz + w * qy), 2 * (qy * qz - w * qx), 1 - 2 * (qx * qx + qy * qy)],
    ] as const;
    const segment = this.#segment;
    for (const [k, [dx, dy, dz]] of columns.entries()) {
      segment.set([blob[p]!, blob[p + 1]!, blob[p + 2]!]);
      segment.set([blob[p]! + AXIS_M * dx, blob[p + 1]! + AXIS_M * dy, blob[p + 2]! + AXIS_M * dz], 3);
      this.#axes.add(segment, 0, this.#axisColours[k]!, 1, 1);
    }
  }

  /** Draws an arrow from a point along a vector. Contacts also get a ring on the ground. */
  #arrow(blob: Float32Array, overlay: Overlay, k: number): void {
    const colour = this.#colourOf(overlay, this.#colours.foot);
    const [x, y, z, dx, dy, dz] = [blob[k]!, blob[k + 1]!, blob[k + 2]!, blob[k + 3]!, blob[k + 4]!, blob[k + 5]!];
    if (overlay.name === 'contacts') this.#rings.add(at(x, y, z + 0.004, CONTACT_RING), colour);
    if (Math.hypot(dx, dy, dz) < 1e-4) return;
    const segment = this.#segment;
    segment.set([x, y, z, x + dx, y + dy, z + dz]);
    this.#axes.add(segment, 0, colour, 0.9, 0.9);
    this.#cones.add(along(x + dx, y + dy, z + dz, dx, dy, dz, CONE_M), colour);
  }
}

/** Place of a robot: x and y of its root, and the height of its topmost body, m. */
export interface RobotTop {
  readonly robot: number;
  readonly x: number;
  readonly y: number;
  readonly top: number;
}

/** Maximum number of robots with tags. */
const MOST_TAGS = 64;

/** Returns the focused robot of a play scene with several robots; null for other scenes. */
export function focusedIn({ header, blob }: Frame): RobotTop | null {
  const { owner, n, nbody, focus } = header;
  if (owner !== 'play' || n < 2 || focus < 0 || focus >= n || nbody === 0) return null;
  return topOf({ header, blob }, focus);
}

/** Returns the robots that get a tag, the focused robot first: all robots of a scene with up to 64 robots, else only
 *  the focused one. */
export function topsIn(frame: Frame): RobotTop[] {
  const { owner, n, nbody } = frame.header;
  if (n < 2 || nbody === 0 || (owner !== 'play' && owner !== 'data')) return [];
  const focused = focusedIn(frame);
  const tops = focused === null ? [] : [focused];
  for (let robot = 0; robot < n && n <= MOST_TAGS; robot++)
    if (robot !== focused?.robot) tops.push(topOf(frame, robot));
  return tops;
}

function topOf({ header: { nbody, poses }, blob }: Frame, robot: number): RobotTop {
  const root = poses.offset + 7 * nbody * robot;
  let top = Number.NEGATIVE_INFINITY;
  for (let body = 0; body < nbody; body++) top = Math.max(top, blob[root + 7 * body + 2]!);
  return { robot, x: blob[root]!, y: blob[root + 1]!, top };
}

/** Writes a point of the Catmull-Rom curve through the points of a path of lines.
 *  @param pieces number of lines
 *  @param t position on the path, 0..pieces */
// biome-ignore lint/complexity/useMaxParams: runs per piece of a trail and picture: an object would be allocated each time
export function curvePoint(
  blob: ArrayLike<number>,
  from: number,
  pieces: number,
  t: number,
  out: Float32Array,
  at: number,
): void {
  const k = Math.min(pieces - 1, Math.floor(t));
  const u = t - k;
  const point = (index: number, axis: number) => {
    const i = Math.max(0, Math.min(pieces, index));
    return i === pieces ? blob[from + LINE * (pieces - 1) + 3 + axis]! : blob[from + LINE * i + axis]!;
  };
  for (let axis = 0; axis < 3; axis++) {
    const [a, b, c, d] = [point(k - 1, axis), point(k, axis), point(k + 1, axis), point(k + 2, axis)];
    out[at + axis] = b + 0.5 * u * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a)));
  }
}

/** Returns whether a line begins where the previous line ended. */
function continues(blob: Float32Array, at: number): boolean {
  return blob[at] === blob[at - 3] && blob[at + 1] === blob[at - 2] && blob[at + 2] === blob[at - 1];
}

/** Returns whether a body's origin is at a point. */
function liesOn({ header: { poses, nbody }, blob }: Frame, body: number, x: number, y: number, z: number): boolean {
  if (body >= nbody) return false;
  const p = poses.offset + 7 * body;
  const [dx, dy, dz] = [blob[p]! - x, blob[p + 1]! - y, blob[p + 2]! - z];
  return dx * dx + dy * dy + dz * dz < ON_BODY;
}
