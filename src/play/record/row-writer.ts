import { toRpy } from '../../core/math/quaternion.ts';
import type { Environments, ObservationGroup } from '../../mdp/environments.ts';
import { type PlayColumns, type PlaySignals, playColumns } from '../../plots/play-channels.ts';
import { endRow, type RecordRing, rowStart } from './record-ring.ts';

/** Number of meta columns: clip, frame in the clip, step of the episode. */
export const META_COLUMNS = 3;

/** Returns the number of values of a row: data, reference, meta. */
export function rowWidth(signals: PlaySignals): number {
  const columns = playColumns(signals);
  return columns.count + columns.ref + META_COLUMNS;
}

/** Arrays with the roots of the robots or of their references: positions (n, B, 3), orientations wxyz (n, B, 4) and
 *  velocities (n, B, 3). */
interface RootArrays {
  readonly positions: Float64Array;
  readonly quaternions: Float64Array;
  readonly velocities: Float64Array;
}

/** Writes rows of records. A row contains the state of one environment and the reference with which the state is
 *  compared. */
export class RowWriter {
  readonly #envs: Environments;
  readonly #observations: ObservationGroup | null;
  readonly #columns: PlayColumns;
  readonly #robot: RootArrays;
  readonly #reference: RootArrays;
  readonly #quaternion = new Float64Array(4);
  readonly #rpy = new Float64Array(3);

  constructor(envs: Environments, observations: ObservationGroup | null, signals: PlaySignals) {
    this.#envs = envs;
    this.#observations = observations;
    this.#columns = playColumns(signals);
    const { state } = envs;
    this.#robot = { positions: state.bodyPosW, quaternions: state.bodyQuatW, velocities: state.bodyLinVelW };
    this.#reference = {
      positions: state.refBodyPosW,
      quaternions: state.refBodyQuatW,
      velocities: state.refBodyLinVelW,
    };
  }

  /** Appends a row. @param env index in its thread
   *  @param isEnd whether the episode or clip ends with this state; such a state has not been observed yet */
  write(ring: RecordRing, env: number, isEnd: boolean): void {
    const { rows } = ring;
    const { state, rewardTerms, rewards, rewardNames } = this.#envs;
    const columns = this.#columns;
    const { joints, bodies } = state;
    const at = rowStart(ring);
    const ref = at + columns.count;
    const meta = ref + columns.ref;
    this.#writeRoot(rows, at, this.#robot, env * bodies);
    this.#writeRoot(rows, ref, this.#reference, env * bodies);
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

  /** Writes position, roll-pitch-yaw and velocity of a root. @param body index of the root, counted over all
   *  environments */
  #writeRoot(rows: Float32Array, at: number, { positions, quaternions, velocities }: RootArrays, body: number): void {
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
