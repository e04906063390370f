/** One clip of a library: rows `first` to `first + frames` of its arrays. */
export interface LibraryClip {
  readonly name: string;
  readonly first: number;
  readonly frames: number;
}

/** Reference motion of several clips, stacked: what tracking compares a robot with. All arrays lie in shared memory, so
 *  that every thread reads the same ones. World frame of the clip, float32, `fps` rows a second, velocities at the
 *  bodies' origins in world axes. */
export interface MotionLibrary {
  readonly fps: number;
  readonly clips: readonly LibraryClip[];
  /** rows of all clips */
  readonly frames: number;
  readonly joints: number;
  /** without the world; body 0 is the root */
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
