/** A view of the camera that can be stored in a link. Angles in rad, lengths in m. */
export interface CameraPlace {
  readonly azimuth: number;
  readonly elevation: number;
  readonly distance: number;
  /** world frame, m; relative to the robot if the camera follows it */
  readonly target: readonly [number, number, number];
  readonly follow: 'free' | 'follow' | 'heading';
}
