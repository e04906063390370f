/** The state of all environments of one thread after a control step, and the reference frame that each state is
 *  compared with. Terms read this state.
 *
 *  Arrays are row-major; n environments, J joints, B bodies without the world (0 is the root), K keybodies, F feet. The
 *  frame is the world, unless a name ends in B (frame of the root body); quaternions wxyz. Reference poses include the
 *  origin of the environment. */
export interface EnvState {
  readonly n: number;
  readonly joints: number;
  readonly bodies: number;
  /** (n, J) positions, rad; velocities, rad/s; accelerations, rad/s²; torques applied after clamping, Nm */
  readonly jointPos: Float64Array;
  readonly jointVel: Float64Array;
  readonly jointAcc: Float64Array;
  readonly torque: Float64Array;
  /** (n, B, 3) positions, m; (n, B, 4) orientations; (n, B, 3) velocities of the body's origin, m/s; (n, B, 3) angular
   *  velocities, rad/s */
  readonly bodyPosW: Float64Array;
  readonly bodyQuatW: Float64Array;
  readonly bodyLinVelW: Float64Array;
  readonly bodyAngVelW: Float64Array;
  /** (n, J) raw actions of this step and of the previous step */
  readonly actions: Float64Array;
  readonly previousActions: Float64Array;
  /** (n, K, 3) N, net contact force that a keybody exerts on the ground, world axes */
  readonly contactForce: Float64Array;
  /** (n, F) whether a foot touches the ground, 0 or 1 */
  readonly footContact: Uint8Array;
  /** (n, 3) angular momentum of the whole robot about its centre of mass, kg·m²/s */
  readonly angularMomentum: Float64Array;
  /** assistance at the anchor: (n, 3) N and (n, 3) Nm, world axes, and its gain, (n) 0..1; zeros without assistance */
  readonly assistForce: Float64Array;
  readonly assistTorque: Float64Array;
  readonly assistGain: Float64Array;
  /** (n) control steps since the start of the episode */
  readonly episodeStep: Int32Array;
  /** (n) 1 if this step ended the episode because of a failure */
  readonly terminated: Uint8Array;
  readonly timedOut: Uint8Array;
  /** (n, 3) origin of the environment, m; z is the height of the ground under the root of the reference */
  readonly envOrigin: Float64Array;

  /** (n) clip, and frame within the clip, with which the state is compared */
  readonly clip: Int32Array;
  readonly frame: Int32Array;
  /** (n, J) */
  readonly refJointPos: Float64Array;
  readonly refJointVel: Float64Array;
  /** (n, B, …) as for the robot */
  readonly refBodyPosW: Float64Array;
  readonly refBodyQuatW: Float64Array;
  readonly refBodyLinVelW: Float64Array;
  readonly refBodyAngVelW: Float64Array;
  /** (n, K, 3) and (n, K, 4): keybodies of the reference, moved in x and y to the anchor of the robot and rotated by
   *  the difference in yaw of the anchors; heights as in the reference */
  readonly relBodyPosW: Float64Array;
  readonly relBodyQuatW: Float64Array;
}

/** Bodies without the world, as indices into the rows of {@link EnvState}. */
export interface TermIndices {
  readonly anchor: number;
  readonly keybodies: readonly number[];
  readonly endEffectors: readonly number[];
  readonly feet: readonly number[];
}
