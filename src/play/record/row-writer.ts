import { toRpy } from '../../core/math/quaternion.ts';
import type { Environments, ObservationGroup } from '../../mdp/environments.ts';
import { type PlayColumns, type PlaySignals, playColumns } from '../../plots/play-channels.ts';
import { endRow, type RecordRing, rowStart } from './record-ring.ts';

/** Clip, frame in the clip, step of the episode. */
export const META_COLUMNS = 3;

/** Values of a row: data, reference, meta. */
export function rowWidth(signals: PlaySignals): number {
  const columns = playColumns(signals);
  return columns.count + columns.ref + META_COLUMNS;
}

/** Writes rows of records: the state of one environment as it is, and the reference that it is compared with. */
export class RowWriter {
  readonly #envs: Environments;
  readonly #observations: ObservationGroup | null;
  readonly #columns: PlayColumns;
  readonly #quaternion = new Float64Array(4);
  readonly #rpy = new Float64Array(3);

  constructor(envs: Environments, observations: ObservationGroup | null, signals: PlaySignals) {
    this.#envs = envs;
    this.#observations = observations;
    this.#columns = playColumns(signals);
  }

  /** Appends a row. @param env as its thread counts
   *  @param isEnd whether it is a state that an episode or a clip ends with: it has not been observed */
  write(ring: RecordRing, env: number, isEnd: boolean): void {
    const { rows } = ring;
    const { state, rewardTerms, rewards, rewardNames } = this.#envs;
    const columns = this.#columns;
    const { joints, bodies } = state;
    const at = rowStart(ring);
    const ref = at + columns.count;
    const meta = ref + columns.ref;
    this.#writeRoot(rows, at, state.bodyPosW, state.bodyQuatW, state.bodyLinVelW, env * bodies);
    this.#writeRoot(rows, ref, state.refBodyPosW, state.refBodyQuatW, state.refBodyLinVelW, env * bodies);
    for (let k = 0, from = env * joints; k < joints; k += 1, from += 1) {
      rows[at + columns.joint + k] = state.jointPos[from]!;
      rows[at + columns.torque + k] = state.torque[from]!;
      rows[at + columns.action + k] = state.actions[from]!;
      rows[ref + columns.joint + k] = state.refJointPos[from]!;
    }
    const count = rewardNames.length;
    for (let k = 0; k < count; k += 1) rows[at + columns.reward + k] = rewardTerms[env * count + k]!;
    rows[at + columns.total] = rewards[env]!;
    const group = this.#observations;
    if (group && isEnd) group.peek(env, rows, at + columns.obs);
    else if (group)
      for (let k = 0, from = env * group.dim; k < group.dim; k += 1)
        rows[at + columns.obs + k] = group.values[from + k]!;
    rows[meta] = state.clip[env]!;
    rows[meta + 1] = state.frame[env]!;
    rows[meta + 2] = state.episodeStep[env]!;
    endRow(ring);
  }

  /** @param body row of the root in arrays of bodies */
  #writeRoot(
    rows: Float32Array,
    at: number,
    positions: Float64Array,
    quaternions: Float64Array,
    velocities: Float64Array,
    body: number,
  ): void {
    const { pos, rpy, rootVel } = this.#columns;
    for (let k = 0; k < 4; k += 1) this.#quaternion[k] = quaternions[4 * body + k]!;
    toRpy(this.#rpy, this.#quaternion);
    for (let k = 0; k < 3; k += 1) {
      rows[at + pos + k] = positions[3 * body + k]!;
      rows[at + rpy + k] = this.#rpy[k]!;
      rows[at + rootVel + k] = velocities[3 * body + k]!;
    }
  }
}
