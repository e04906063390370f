import type { PerspectiveCamera, WebGLRenderer } from 'three';
import type { CaptureOrder } from './messages.ts';
import type { StageSet } from './set/stage.ts';

/** What the scene shows at this moment. */
export interface SceneNow {
  readonly renderer: WebGLRenderer;
  readonly stage: StageSet;
  readonly camera: PerspectiveCamera;
  /** target of the camera in x and y, m */
  readonly target: readonly [number, number, number];
  /** half width of the scene, m; 0 for one robot */
  readonly extent: number;
}

/** Draws the scene in another size into the canvas and copies it. The caller must then draw the scene again, in the
 *  same task, so that the browser never shows this picture.
 *  @throws Error if the browser cannot make a canvas of this size */
export function takePicture(
  { renderer, stage, camera, target, extent }: SceneNow,
  order: CaptureOrder,
): OffscreenCanvas {
  const { width, height, transparent } = order;
  const picture = new OffscreenCanvas(width, height);
  const context = picture.getContext('2d');
  if (context === null) throw new Error(`a picture of ${width} × ${height} px could not be made`);
  renderer.setPixelRatio(1);
  renderer.setSize(width, height, false);
  stage.setPixels(1);
  stage.setBackdrop(!transparent);
  const own = cameraFor(camera, width / height);
  stage.place(target[0], target[1], own, extent);
  renderer.render(stage.scene, own);
  context.drawImage(renderer.domElement, 0, 0);
  stage.setBackdrop(true);
  return picture;
}

/** Returns a camera with another aspect ratio that shows at least what `camera` shows. */
function cameraFor(camera: PerspectiveCamera, aspect: number): PerspectiveCamera {
  const own = camera.clone();
  own.clearViewOffset();
  if (aspect < camera.aspect) {
    const half = Math.tan((camera.fov * Math.PI) / 360) * (camera.aspect / aspect);
    own.fov = (360 / Math.PI) * Math.atan(half);
  }
  own.aspect = aspect;
  own.updateProjectionMatrix();
  return own;
}
