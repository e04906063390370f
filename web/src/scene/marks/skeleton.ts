import { Color } from 'three';
import type { Frame } from '../../../../src/protocol/frame.ts';
import type { KnownModel } from '../drawable.ts';
import type { Palette } from '../palette.ts';
import { Ribbons } from './marker-pools.ts';

const WIDTH_PX = 3;
const STRENGTH = 0.75;

/** Draws robots as lines between their bodies while their geometry is loading. */
export class Skeleton {
  readonly #ribbons = new Ribbons(WIDTH_PX, false, 3);
  readonly #colour = new Color();
  readonly #segment = new Float32Array(6);
  #model: KnownModel | null = null;
  #parents: readonly number[] = [];

  get mesh(): Ribbons['mesh'] {
    return this.#ribbons.mesh;
  }

  restyle(palette: Palette): void {
    this.#colour.copy(palette.colour('--vp-shell'));
  }

  /** The model whose bodies are known; null before the first. */
  get model(): KnownModel | null {
    return this.#model;
  }

  /** @param parents parent index of each body, −1: none */
  setParents(robot: string, version: number, parents: readonly number[]): void {
    this.#model = { robot, version, nbody: parents.length };
    this.#parents = parents;
  }

  /** Returns whether a frame shows the model whose parents are known. */
  fits({ header }: Frame): boolean {
    return header.model_version === this.#model?.version && header.nbody === this.#parents.length;
  }

  /** Updates the lines from a frame. @param frame null once the geometry is loaded: draws no lines */
  update(frame: Frame | null): void {
    this.#ribbons.begin();
    if (frame !== null && this.fits(frame)) this.#addLines(frame);
    this.#ribbons.end();
  }

  setHeight(px: number): void {
    this.#ribbons.setHeight(px);
  }

  /** Returns the bounds of the bodies' origins, (6,) m. */
  static bounds({ header: { n, nbody, poses }, blob }: Frame): Float32Array {
    const box = Float32Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
    for (let p = poses.offset; p < poses.offset + 7 * n * nbody; p += 7) {
      for (let axis = 0; axis < 3; axis++) {
        box[axis] = Math.min(box[axis]!, blob[p + axis]!);
        box[axis + 3] = Math.max(box[axis + 3]!, blob[p + axis]!);
      }
    }
    return box;
  }

  #addLines({ header: { n, nbody, poses }, blob }: Frame): void {
    const segment = this.#segment;
    for (let k = 0; k < n * nbody; k++) {
      const parent = this.#parents[k % nbody]!;
      if (parent < 0) continue;
      const from = poses.offset + 7 * (k - (k % nbody) + parent);
      const to = poses.offset + 7 * k;
      for (let axis = 0; axis < 3; axis++) {
        segment[axis] = blob[from + axis]!;
        segment[3 + axis] = blob[to + axis]!;
      }
      this.#ribbons.add(segment, 0, this.#colour, STRENGTH, STRENGTH);
    }
  }
}
