/** One clip of a motion library: rows `first` to `first + frames` (exclusive) of the library's arrays. */
export interface LibraryClip {
  readonly name: string;
  readonly first: number;
  readonly frames: number;
  /** factor on the probability that an episode starts in the clip, ≥ 0; default 1 */
  readonly weight?: number;
}

/** The reference motion for tracking tasks: several clips, concatenated. All arrays are in shared memory, so that
 *  threads do not copy them. World frame of the clip, float32, `fps` rows per second, velocities of the bodies'
 *  origins in world axes. */
export interface MotionLibrary {
  readonly fps: number;
  readonly clips: readonly LibraryClip[];
  /** total number of rows of all clips */
  readonly frames: number;
  readonly joints: number;
  /** number of bodies without the world; body 0 is the root */
  readonly bodies: number;
  /** (frames, joints) rad or m */
  readonly jointPos: Float32Array;
  /** (frames, joints) rad/s or m/s */
  readonly jointVel: Float32Array;
  /** (frames, bodies, 3) m */
  readonly bodyPosW: Float32Array;
  /** (frames, bodies, 4) wxyz */
  readonly bodyQuatW: Float32Array;
  /** (frames, bodies, 3) m/s */
  readonly bodyLinVelW: Float32Array;
  /** (frames, bodies, 3) rad/s */
  readonly bodyAngVelW: Float32Array;
}
