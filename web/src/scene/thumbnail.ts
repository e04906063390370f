import { PerspectiveCamera, Vector2, type WebGLRenderer } from 'three';
import { eyeOf, fitDistance } from '../logic/camera.ts';
import type { CameraRig } from './camera-rig.ts';
import type { StageSet } from './stage.ts';

/** px, twice the size it is shown at */
const SIZE = 80;
const FOV = (26 * Math.PI) / 180;

/** A small picture of the robot as a data URL, drawn into a corner of the canvas and read back before anyone sees it; the
 *  caller draws the scene again. @param box (6,) m, what the robot fills */
export function takeThumbnail(
  renderer: WebGLRenderer,
  stage: StageSet,
  box: Float32Array,
  rig: CameraRig,
): string | null {
  const size = renderer.getDrawingBufferSize(new Vector2());
  const picture = document.createElement('canvas');
  picture.width = SIZE;
  picture.height = SIZE;
  const context = picture.getContext('2d');
  if (context === null || size.x < SIZE || size.y < SIZE) return null;
  const target: [number, number, number] = [(box[0]! + box[3]!) / 2, (box[1]! + box[4]!) / 2, (box[2]! + box[5]!) / 2];
  const distance = fitDistance(box[4]! - box[1]!, box[5]! - box[2]!, FOV, 1, 0.86);
  const orbit = { azimuth: rig.orbit.azimuth, elevation: 0.14, distance, target };
  const camera = new PerspectiveCamera((FOV * 180) / Math.PI, 1, distance / 50, 100);
  camera.up.set(0, 0, 1);
  camera.position.set(...eyeOf(orbit));
  camera.lookAt(...target);
  camera.updateMatrixWorld();
  stage.place(target[0], target[1], camera, 0);
  const ratio = renderer.getPixelRatio();
  renderer.setScissorTest(true);
  renderer.setScissor(0, 0, SIZE / ratio, SIZE / ratio);
  renderer.setViewport(0, 0, SIZE / ratio, SIZE / ratio);
  renderer.render(stage.scene, camera);
  context.drawImage(renderer.domElement, 0, size.y - SIZE, SIZE, SIZE, 0, 0, SIZE, SIZE);
  renderer.setScissorTest(false);
  renderer.setViewport(0, 0, size.x / ratio, size.y / ratio);
  return picture.toDataURL('image/webp', 0.9);
}
