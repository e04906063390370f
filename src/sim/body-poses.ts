import { HeapViews } from './heap-views.ts';
import type { MainModule, MjData, MjModel } from './mujoco.ts';

/** Forward kinematics of one model: computes the world poses of all bodies from qpos. */
export class BodyPoses {
  readonly nq: number;
  /** number of bodies, without the world */
  readonly nbody: number;
  readonly #mj: MainModule;
  readonly #model: MjModel;
  readonly #data: MjData;
  readonly #views: HeapViews<{
    readonly qpos: Float64Array;
    readonly xpos: Float64Array;
    readonly xquat: Float64Array;
  }>;

  constructor(mj: MainModule, model: MjModel) {
    this.#mj = mj;
    this.#model = model;
    const data = new mj.MjData(model);
    this.#data = data;
    this.nq = model.nq;
    this.nbody = model.nbody - 1;
    this.#views = new HeapViews(() => ({ qpos: data.qpos, xpos: data.xpos, xquat: data.xquat }));
  }

  /** Configuration to compute: root x y z, quaternion wxyz, then joints. Write to it, then call `compute`. */
  get qpos(): Float64Array {
    return this.#views.current.qpos;
  }

  /** (nbody + 1, 3) positions, m, world frame; row 0 is the world. Valid after `compute` until MuJoCo allocates memory
   *  again. */
  get positions(): Float64Array {
    return this.#views.current.xpos;
  }

  compute(): void {
    this.#mj.mj_kinematics(this.#model, this.#data);
  }

  /** Writes (nbody, 7) poses, position m and quaternion wxyz, world frame, from `out[offset]` on. */
  writePoses(out: Float32Array, offset: number): void {
    const { xpos: position, xquat: quaternion } = this.#views.current;
    let at = offset;
    for (let body = 1; body <= this.nbody; body++) {
      const p = 3 * body;
      const q = 4 * body;
      out[at++] = position[p]!;
      out[at++] = position[p + 1]!;
      out[at++] = position[p + 2]!;
      out[at++] = quaternion[q]!;
      out[at++] = quaternion[q + 1]!;
      out[at++] = quaternion[q + 2]!;
      out[at++] = quaternion[q + 3]!;
    }
  }

  delete(): void {
    this.#data.delete();
    this.#model.delete();
  }
}
