/** What terms read: the state of all environments of one thread after a control step, and the reference frame they are
 *  compared with. Row-major, `n` environments; J joints, B bodies without the world (0 the root), K keybodies.
 *  World frame unless a name ends in B (frame of the root body); quaternions wxyz. Reference poses already include the
 *  environment's origin. */
export interface EnvState {
  readonly n: number;
  readonly joints: number;
  readonly bodies: number;
  /** (n, J) rad, rad/s, rad/s², Nm (as applied, clamped) */
  readonly jointPos: Float64Array;
  readonly jointVel: Float64Array;
  readonly jointAcc: Float64Array;
  readonly torque: Float64Array;
  /** (n, B, 3), (n, B, 4), (n, B, 3) at the body's origin, (n, B, 3) */
  readonly bodyPosW: Float64Array;
  readonly bodyQuatW: Float64Array;
  readonly bodyLinVelW: Float64Array;
  readonly bodyAngVelW: Float64Array;
  /** (n, J) raw actions of this step and of the one before */
  readonly actions: Float64Array;
  readonly previousActions: Float64Array;
  /** (n, K, 3) N, net contact force between a keybody and the ground, world axes, as the body pushes the ground */
  readonly contactForce: Float64Array;
  /** (n, F) whether a foot touches the ground, 0 or 1 */
  readonly footContact: Uint8Array;
  /** (n, 3) angular momentum of the whole robot about its centre of mass, kg·m²/s */
  readonly angularMomentum: Float64Array;
  /** (n, 3) N and (n, 3) Nm, world axes, that help the robot at its anchor, and (n) their gain 0..1; zeros without help */
  readonly assistForce: Float64Array;
  readonly assistTorque: Float64Array;
  readonly assistGain: Float64Array;
  /** (n) control steps since the episode began */
  readonly episodeStep: Int32Array;
  /** (n) 1 where this step ended the episode by a failure */
  readonly terminated: Uint8Array;
  readonly timedOut: Uint8Array;
  /** (n, 3) m; z is the ground's height under the root of the reference */
  readonly envOrigin: Float64Array;

  /** (n) clip and row within the clip that the state is compared with */
  readonly clip: Int32Array;
  readonly frame: Int32Array;
  /** (n, J) */
  readonly refJointPos: Float64Array;
  readonly refJointVel: Float64Array;
  /** (n, B, …) as the robot's own */
  readonly refBodyPosW: Float64Array;
  readonly refBodyQuatW: Float64Array;
  readonly refBodyLinVelW: Float64Array;
  readonly refBodyAngVelW: Float64Array;
  /** (n, K, 3) and (n, K, 4): reference keybodies moved to the robot's anchor in x, y and turned by the difference of
   *  the anchors' yaw; heights are the reference's */
  readonly relBodyPosW: Float64Array;
  readonly relBodyQuatW: Float64Array;
}

/** Where things are in the rows of {@link EnvState}. */
export interface TermIndices {
  readonly anchor: number;
  readonly keybodies: readonly number[];
  readonly endEffectors: readonly number[];
  readonly feet: readonly number[];
}
