import { PerspectiveCamera } from 'three';
import type { Frame } from '../../../src/protocol/frame.ts';
import {
  basis,
  eyeOf,
  fitDistance,
  fitPoints,
  followShare,
  lag,
  nearest,
  type Orbit,
  orbitBy,
  panBy,
  type SnapAxis,
  snapAngles,
  wrap,
  zoomBy,
} from './camera.ts';
import type { CameraPlace } from './camera-place.ts';

const DEGREE = Math.PI / 180;
/** Vertical field of view for one robot and for several. A narrow field keeps the front row from filling the picture
 *  while the other robots look small. */
const FOV = 30 * DEGREE;
const FOV_MANY = 22 * DEGREE;
const ELEVATION = 11 * DEGREE;
const ELEVATION_MANY = 23 * DEGREE;
const AZIMUTH = 30 * DEGREE;
/** Angles from which several robots may be viewed; the one that shows them largest is chosen. */
const AZIMUTHS_MANY = [30, 18].map((degrees) => degrees * DEGREE);
/** Share of the picture's height that one robot fills. */
const SHARE = 0.7;
/** Share of the picture that several robots fill. */
const SHARE_MANY = 0.95;
/** Margin around each robot's root when the camera frames several robots, as a share of the robot's height. */
const REACH_ACROSS = 0.28;
const REACH_HIGH = 0.6;
/** Time constants with which the camera moves back and closer to keep several robots in view, s. It moves closer
 *  slowly, so that the distance does not change with each step of a walk. */
const BACK_TAU = 0.35;
const CLOSER_TAU = 2.5;
/** The camera moves closer only if the robots need less than this share of the distance. */
const CLOSER_AT = 0.93;
/** Time constant with which the camera follows in x and y, s. */
const FOLLOW_TAU = 0.3;
const HEADING_TAU = 0.5;
/** The camera follows downwards only if the root is farther than this from the anchor, m: a robot that crouches stays
 *  in the picture. */
const FOLLOW_Z = 0.5;
/** Distance that the root may be away from the anchor, as a share of half the picture's width and height. One framed
 *  robot leaves 1 − SHARE of the height. */
const MOST_ACROSS = 0.5;
const MOST_UP = 1 - SHARE;
/** A root that moves farther than this in one frame has been reset, m. */
const JUMP = 1.5;
const EASE_S = 0.24;
/** A step of the camera shorter than this share of its distance is invisible, so the camera stops. */
const STILL_M = 2e-4;

/** Robots that the camera keeps in view. */
export interface Crew {
  /** (n, 3) position of the root of each robot, world frame, m */
  readonly roots: readonly (readonly number[])[];
  /** index of the focused robot; −1 for none */
  readonly focus: number;
  /** height of a robot, m */
  readonly tall: number;
}

export interface Followed {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** rad */
  readonly yaw: number;
}

/** Returns the root position of the focused robot; null before the first frame. */
export function followedIn(frame: Frame | null): Followed | null {
  if (frame === null || frame.header.n === 0) return null;
  const { header, blob } = frame;
  const robot = Math.min(header.n - 1, Math.max(0, header.focus));
  const p = header.poses.offset + 7 * robot * header.nbody;
  const [w, x, y, z] = [blob[p + 3]!, blob[p + 4]!, blob[p + 5]!, blob[p + 6]!];
  return {
    x: blob[p]!,
    y: blob[p + 1]!,
    z: blob[p + 2]!,
    yaw: Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
  };
}

/** Camera of one viewer: orbit, follow, framing, snapping. The orbit's target is `anchor` plus the user's pan. */
export class CameraRig {
  readonly camera = new PerspectiveCamera(FOV / DEGREE, 1, 0.05, 300);
  readonly orbit: Orbit = { azimuth: AZIMUTH, elevation: ELEVATION, distance: 3.6, target: [0, 0, 0.66] };
  follow: CameraPlace['follow'] = 'follow';
  #anchor: [number, number, number] | null = null;
  #yaw = 0;
  #risingZ = false;
  #goal: { azimuth: number; elevation: number; distance: number } | null = null;
  #width = 1;
  #height = 1;
  #insetLeft = 0;
  #insetRight = 0;
  #fov = FOV;
  readonly #reducedMotion: boolean;

  constructor(reducedMotion: boolean) {
    this.#reducedMotion = reducedMotion;
    this.camera.up.set(0, 0, 1);
  }

  get fov(): number {
    return this.#fov;
  }

  /** @param width px @param height px */
  resize(width: number, height: number): void {
    this.#width = Math.max(1, width);
    this.#height = Math.max(1, height);
    this.apply();
  }

  /** Sets the parts of the picture that panels cover, px. The scene is centred in the remaining part. A single robot
   *  stands in the middle and needs no space at the right. @returns whether they changed */
  setInset(left: number, right: number): boolean {
    if (left === this.#insetLeft && right === this.#insetRight) return false;
    this.#insetLeft = left;
    this.#insetRight = right;
    this.apply();
    return true;
  }

  get #covered(): readonly [left: number, right: number] {
    return [this.#insetLeft, this.#fov === FOV_MANY ? this.#insetRight : 0];
  }

  /** Returns the aspect ratio of the part of the picture that is not covered. */
  get #aspect(): number {
    const [left, right] = this.#covered;
    return Math.max(1, this.#width - left - right) / this.#height;
  }

  /** Frames a box, or several robots. @param box (6,) m @param turn also resets the angles
   *  @param crew several robots, viewed from a higher elevation; null for one robot */
  frame(box: ArrayLike<number>, turn: boolean, crew: Crew | null): void {
    const { orbit } = this;
    this.#goal = null;
    this.#fov = crew ? FOV_MANY : FOV;
    if (crew) {
      if (turn) {
        orbit.elevation = ELEVATION_MANY;
        const fits = AZIMUTHS_MANY.map((azimuth) => ({
          azimuth,
          ...this.#fit(crew, { azimuth, elevation: ELEVATION_MANY }),
        }));
        orbit.azimuth = fits.reduce((best, fit) => (fit.distance < 0.97 * best.distance ? fit : best)).azimuth;
      }
      Object.assign(orbit, this.#fit(crew, orbit));
      return;
    }
    if (turn) {
      orbit.azimuth = AZIMUTH;
      orbit.elevation = ELEVATION;
    }
    const [wide, deep, high] = [0, 1, 2].map((axis) => box[axis + 3]! - box[axis]!) as [number, number, number];
    const flat = Math.hypot(wide, deep);
    const tall = high * Math.cos(orbit.elevation) + 0.5 * flat * Math.abs(Math.sin(orbit.elevation));
    orbit.distance = fitDistance(flat, tall, FOV, this.#aspect, SHARE);
    orbit.target = [box[0]! + wide / 2, box[1]! + deep / 2, box[2]! + high / 2];
  }

  #fit(crew: Crew, angles: Pick<Orbit, 'azimuth' | 'elevation'>): Pick<Orbit, 'distance' | 'target'> {
    const framing = {
      across: REACH_ACROSS * crew.tall,
      high: REACH_HIGH * crew.tall,
      fov: FOV_MANY,
      aspect: this.#aspect,
      share: SHARE_MANY,
    };
    return fitPoints(crew.roots, angles, framing, crew.focus);
  }

  /** Keeps several robots in view: moves back when a robot would leave the picture, and closer when the robots need
   *  much less of it.
   *  @param dt time step, s
   *  @returns whether the camera is still moving */
  hold(crew: Crew, dt: number): boolean {
    const { orbit } = this;
    const { distance, target } = this.#fit(crew, orbit);
    const back = distance > orbit.distance;
    const closer = distance < CLOSER_AT * orbit.distance;
    const share = this.#reducedMotion ? 1 : lag(dt, back ? BACK_TAU : CLOSER_TAU);
    const further = back || closer ? share * (distance - orbit.distance) : 0;
    orbit.distance += further;
    const along = this.#reducedMotion ? 1 : lag(dt, BACK_TAU);
    let moved = Math.abs(further);
    for (let axis = 0; axis < 3; axis++) {
      const step = along * (target[axis]! - orbit.target[axis]!);
      orbit.target[axis] = orbit.target[axis]! + step;
      moved = Math.max(moved, Math.abs(step));
    }
    return moved > STILL_M * orbit.distance;
  }

  /** Sets the anchor to the robot's present position, so that the next `step` starts from the present target. */
  reanchor(followed: Followed): void {
    this.#anchor = [followed.x, followed.y, followed.z];
    this.#yaw = followed.yaw;
  }

  place({ azimuth, elevation, distance, target, follow }: CameraPlace, followed: Followed): void {
    const { orbit } = this;
    orbit.azimuth = azimuth;
    orbit.elevation = elevation;
    orbit.distance = distance;
    const [x, y] = follow === 'free' ? [0, 0] : [followed.x, followed.y];
    orbit.target = [target[0] + x, target[1] + y, target[2]];
    this.reanchor(followed);
    this.#goal = null;
  }

  /** Returns the camera place for the page address. It is relative to the robot while the camera follows. */
  placeNow(): CameraPlace {
    const { azimuth, elevation, distance, target } = this.orbit;
    const [x, y] = this.follow === 'free' || this.#anchor === null ? [0, 0] : this.#anchor;
    return {
      azimuth: wrap(azimuth),
      elevation,
      distance,
      target: [target[0] - x, target[1] - y, target[2]],
      follow: this.follow,
    };
  }

  /** Advances following and the easing of a snap. @param crew robots to hold in view instead of following the focused
   *  one
   *  @returns whether the camera still moves */
  step(dt: number, followed: Followed | null, crew: Crew | null = null): boolean {
    const held = crew !== null && this.follow !== 'free';
    if (held && followed !== null) this.reanchor(followed);
    const following = held ? this.hold(crew, dt) : followed !== null && this.#followStep(dt, followed);
    const easing = this.#easeStep(dt);
    return following || easing;
  }

  #followStep(dt: number, followed: Followed): boolean {
    const anchor = this.#anchor;
    if (anchor === null) {
      this.reanchor(followed);
      return false;
    }
    const { orbit } = this;
    const ahead = [followed.x - anchor[0], followed.y - anchor[1], followed.z - anchor[2]] as const;
    if (this.follow === 'free') {
      this.#anchor = [followed.x, followed.y, followed.z];
      this.#yaw = followed.yaw;
      return false;
    }
    const jumped = Math.hypot(ahead[0], ahead[1]) > JUMP;
    const atOnce = jumped || this.#reducedMotion;
    const high = orbit.distance * Math.tan(this.#fov / 2); // half the height of the picture at the target, m
    const mostAcross = MOST_ACROSS * high * Math.min(this.#aspect, this.#width / this.#height);
    const mostUp = MOST_UP * high;
    const share = atOnce ? 1 : followShare(Math.hypot(ahead[0], ahead[1]), dt, FOLLOW_TAU, mostAcross);
    if (ahead[2] > Math.min(FOLLOW_Z, mostUp) || ahead[2] < -FOLLOW_Z) this.#risingZ = true;
    const most = ahead[2] > 0 ? mostUp : FOLLOW_Z;
    const rise = this.#risingZ ? (atOnce ? 1 : followShare(Math.abs(ahead[2]), dt, FOLLOW_TAU, most)) * ahead[2] : 0;
    const moves = [share * ahead[0], share * ahead[1], rise] as const;
    for (let axis = 0; axis < 3; axis++) {
      anchor[axis] = anchor[axis]! + moves[axis]!;
      orbit.target[axis] = orbit.target[axis]! + moves[axis]!;
    }
    if (Math.abs(followed.z - anchor[2]) < 0.03) this.#risingZ = false;
    let turning = 0;
    if (this.follow === 'heading') {
      turning = wrap(followed.yaw - this.#yaw) * (jumped ? 0 : lag(dt, HEADING_TAU));
      orbit.azimuth += turning;
    }
    this.#yaw = this.follow === 'heading' && !jumped ? this.#yaw + turning : followed.yaw;
    return Math.hypot(...moves) > STILL_M * orbit.distance || Math.abs(turning) > 2e-4;
  }

  #easeStep(dt: number): boolean {
    const goal = this.#goal;
    if (goal === null) return false;
    const { orbit } = this;
    const share = this.#reducedMotion ? 1 : lag(dt, EASE_S / 4);
    orbit.azimuth += share * (goal.azimuth - orbit.azimuth);
    orbit.elevation += share * (goal.elevation - orbit.elevation);
    orbit.distance += share * (goal.distance - orbit.distance);
    if (Math.abs(goal.azimuth - orbit.azimuth) + Math.abs(goal.elevation - orbit.elevation) > 1e-3) return true;
    orbit.azimuth = goal.azimuth;
    orbit.elevation = goal.elevation;
    this.#goal = null;
    return false;
  }

  snap(axis: SnapAxis): void {
    const { azimuth, elevation, distance } = this.orbit;
    const angles = snapAngles(axis, azimuth, elevation);
    this.#goal = { azimuth: nearest(angles.azimuth, azimuth), elevation: angles.elevation, distance };
  }

  drag(dx: number, dy: number, pan: boolean): void {
    this.#goal = null;
    if (pan) panBy(this.orbit, dx, dy, this.#fov, this.#height);
    else orbitBy(this.orbit, dx, dy, this.#height);
  }

  zoom(factor: number): void {
    zoomBy(this.orbit, factor);
  }

  /** Moves the target to a point of the world without changing the angles. */
  centre(point: readonly [number, number, number]): void {
    this.orbit.target = [point[0], point[1], point[2]];
  }

  /** Applies the orbit to the three.js camera. */
  apply(): void {
    const { camera, orbit } = this;
    camera.position.set(...eyeOf(orbit));
    const { right, up, toward } = basis(orbit.azimuth, orbit.elevation);
    camera.matrix.set(
      right[0],
      up[0],
      toward[0],
      camera.position.x,
      right[1],
      up[1],
      toward[1],
      camera.position.y,
      right[2],
      up[2],
      toward[2],
      camera.position.z,
      0,
      0,
      0,
      1,
    );
    camera.matrixAutoUpdate = false;
    camera.matrixWorld.copy(camera.matrix);
    camera.matrixWorldInverse.copy(camera.matrixWorld).invert();
    camera.fov = this.#fov / DEGREE;
    camera.aspect = this.#width / this.#height;
    camera.near = Math.max(0.02, orbit.distance / 100);
    camera.far = Math.max(120, orbit.distance * 12);
    const [atLeft, atRight] = this.#covered;
    const shift = (atRight - atLeft) / 2;
    if (shift !== 0) camera.setViewOffset(this.#width, this.#height, shift, 0, this.#width, this.#height);
    else camera.clearViewOffset();
    camera.updateProjectionMatrix();
  }
}
