import { nearestInHull } from '../../core/math/convex-hull.ts';
import type { LibraryClip, MotionLibrary } from '../../motion/library/motion-library.ts';
import type { ContactPhases } from './contact-phases.ts';
import type { MassModel } from './mass-model.ts';

/** Accelerations are central differences over this time to both sides, s. */
const WINDOW_S = 0.16;
/** The centre of pressure stays in the area of the soles, made smaller by this factor about the centre of each foot. */
const INNER = 0.815;
/** Least square of the pendulum's rate, 1/s²: a body in the air is no pendulum. */
const LEAST_SQUARE = 2;
/** Least height of the centre of mass, m. */
const LEAST_HEIGHT = 0.2;

/** How the centre of mass must move so that the robot does not fall over its feet. Positions are in the frame of the
 *  clip.
 *
 *  The centre of mass c is an inverted pendulum: c̈ = ω² (c − p) with ω² = (g + c̈z) / cz. Its divergent component ξ =
 *  c + ċ / ω moves away from p: ξ̇ = ω (ξ − p). So ξ is a mean of all later p, weighted by exp(−ω t), and the centre of
 *  mass follows ξ by itself (Englsberger, Ott and Albu-Schäffer 2015). p differs from the centre of pressure by the
 *  rate of the angular momentum, divided by the vertical force (Popovic, Goswami and Herr 2005). Changes of ω are
 *  neglected.
 *
 *  The p of the reference follows from its accelerations. Where its centre of pressure leaves the soles, which the
 *  robot's cannot, the nearest point of the soles takes its place. */
export class BalancePlan {
  readonly phases: ContactPhases;
  /** (frames, 3) centre of mass of the reference: position m, velocity m/s, acceleration m/s² */
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  readonly acceleration: Float64Array;
  /** (frames) ω, 1/s */
  readonly rate: Float64Array;
  /** (frames, 2) p and ξ, m */
  readonly pivot: Float64Array;
  readonly divergent: Float64Array;
  /** (frames, feet) share of the weight that each foot carries; part of ξ that its time on the ground decides */
  readonly share: Float64Array;
  readonly carried: Float64Array;
  readonly #feet: number;

  constructor(library: MotionLibrary, clip: LibraryClip, mass: MassModel, phases: ContactPhases, feet: number) {
    const { frames } = clip;
    this.phases = phases;
    this.#feet = feet;
    this.position = new Float64Array(3 * frames);
    this.velocity = new Float64Array(3 * frames);
    this.rate = new Float64Array(frames);
    this.pivot = new Float64Array(2 * frames);
    this.divergent = new Float64Array(2 * frames);
    this.share = new Float64Array(feet * frames);
    this.carried = new Float64Array(feet * frames);
    const momentum = new Float64Array(3 * frames);
    for (let frame = 0; frame < frames; frame++) {
      const first = (clip.first + frame) * library.bodies;
      const center = mass.center(library, first);
      this.position.set(center.position, 3 * frame);
      this.velocity.set(center.velocity, 3 * frame);
      momentum.set(mass.angularMomentum(library, first, center), 3 * frame);
    }
    this.acceleration = slopes(this.velocity, library.fps);
    const torque = slopes(momentum, library.fps);
    for (let frame = 0; frame < frames; frame++) this.#place(frame, torque.subarray(3 * frame), mass);
    this.#integrate(frames, 1 / library.fps);
  }

  /** Computes ω, p and the shares of the feet of a frame. @param torque rate of the angular momentum, Nm */
  #place(frame: number, torque: Float64Array, { total, gravity }: MassModel): void {
    const at = 3 * frame;
    const height = Math.max(LEAST_HEIGHT, this.position[at + 2]!);
    const square = Math.max(LEAST_SQUARE, (gravity + this.acceleration[at + 2]!) / height);
    this.rate[frame] = Math.sqrt(square);
    const force = total * square * height;
    const turned = [-torque[1]! / force, torque[0]! / force] as const;
    const wanted = [0, 1].map((axis) => this.position[at + axis]! - this.acceleration[at + axis]! / square);
    const pressure = [wanted[0]! + turned[0], wanted[1]! + turned[1]] as const;
    const centers = this.#centers(frame);
    const inner = this.phases.grounded(frame).flatMap(({ foot, position }) => {
      const center = centers[foot]!;
      return [0, 1].map((axis) => center[axis]! + INNER * (position[axis]! - center[axis]!));
    });
    const kept = inner.length > 0 ? nearestInHull(...pressure, inner) : pressure;
    for (let axis = 0; axis < 2; axis++) this.pivot[2 * frame + axis] = kept[axis]! - turned[axis]!;
    this.#shares(frame, kept, centers);
  }

  /** Shares the weight by the distances of the centre of pressure from the feet on the ground. */
  #shares(frame: number, [x, y]: readonly [number, number], centers: readonly (readonly number[])[]): void {
    const weights = centers.map((center, foot) => {
      if (this.phases.touching[frame * this.#feet + foot] === 0) return 0;
      return 1 / (0.02 + Math.hypot(center[0]! - x, center[1]! - y));
    });
    const sum = weights.reduce((total, weight) => total + weight, 0);
    for (const [foot, weight] of weights.entries())
      this.share[frame * this.#feet + foot] = sum === 0 ? 1 / this.#feet : weight / sum;
  }

  /** Returns the mean of the points of each sole, m. */
  #centers(frame: number): number[][] {
    const points = this.phases.points(frame);
    return Array.from({ length: this.#feet }, (_, foot) => {
      const own = points.filter((point) => point.foot === foot);
      return [0, 1].map((axis) => own.reduce((sum, { position }) => sum + position[axis]! / own.length, 0));
    });
  }

  /** Computes ξ from the end of the clip, where it is that of the reference, to its start. */
  #integrate(frames: number, stepS: number): void {
    const { touching } = this.phases;
    const feet = this.#feet;
    for (let frame = frames - 1; frame >= 0; frame--) {
      const last = frame === frames - 1;
      const kept = Math.exp(-this.rate[frame]! * stepS);
      for (let axis = 0; axis < 2; axis++) {
        const own = this.position[3 * frame + axis]! + this.velocity[3 * frame + axis]! / this.rate[frame]!;
        const later = this.divergent[2 * (frame + 1) + axis]!;
        this.divergent[2 * frame + axis] = last ? own : kept * later + (1 - kept) * this.pivot[2 * frame + axis]!;
      }
      for (let foot = 0; foot < feet; foot++) {
        const at = frame * feet + foot;
        if (touching[at] === 0) continue;
        if (last) this.carried[at] = this.share[at]!;
        else this.carried[at] = kept * this.carried[at + feet]! + (1 - kept) * this.share[at]!;
      }
    }
  }
}

/** Returns the derivatives of (frames, 3) values per second. */
function slopes(values: Float64Array, fps: number): Float64Array {
  const frames = values.length / 3;
  const window = Math.max(1, Math.round(WINDOW_S * fps));
  return values.map((_, k) => {
    const frame = Math.floor(k / 3);
    const before = Math.max(0, frame - window);
    const after = Math.min(frames - 1, frame + window);
    if (after === before) return 0;
    return ((values[3 * after + (k % 3)]! - values[3 * before + (k % 3)]!) * fps) / (after - before);
  });
}
