import { PerspectiveCamera, Vector2, type WebGLRenderer } from 'three';
import { eyeOf, fitDistance } from './camera.ts';
import type { StageSet } from './set/stage.ts';

/** Size of the thumbnail, px: twice the displayed size. */
const SIZE = 80;
const FOV = (26 * Math.PI) / 180;
const AZIMUTH = (30 * Math.PI) / 180;
const ELEVATION = 0.14;
/** Share of the robot's height that the picture shows, measured from the head down. The legs of robots differ least. */
const SHOWN = 0.72;

/** Draws a small picture of the robot into a corner of the canvas and copies it before the browser shows the canvas.
 *  The caller must draw the scene afterwards, in the same task.
 *  @param box (6,) bounds of the robot, m @returns null if the canvas is smaller than the picture */
export function takeThumbnail(renderer: WebGLRenderer, stage: StageSet, box: Float32Array): OffscreenCanvas | null {
  const size = renderer.getDrawingBufferSize(new Vector2());
  if (size.x < SIZE || size.y < SIZE) return null;
  const picture = new OffscreenCanvas(SIZE, SIZE);
  const context = picture.getContext('2d');
  if (context === null) return null;
  const tall = box[5]! - box[2]!;
  const target: [number, number, number] = [
    (box[0]! + box[3]!) / 2,
    (box[1]! + box[4]!) / 2,
    box[5]! - (SHOWN / 2) * tall,
  ];
  const distance = fitDistance(0, SHOWN * tall, FOV, 1, 0.9);
  const camera = new PerspectiveCamera((FOV * 180) / Math.PI, 1, distance / 50, 100);
  camera.up.set(0, 0, 1);
  camera.position.set(...eyeOf({ azimuth: AZIMUTH, elevation: ELEVATION, distance, target }));
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
  return picture;
}
