import { expect, test } from 'vitest';
import type { CameraPlace } from '../../../web/src/scene/camera-place.ts';
import type { SceneView } from '../../../web/src/viewport/scene-view.ts';
import { followMode, placeCamera, viewer } from '../../../web/src/viewport/view-state.ts';

test('a link that is opened in an open page also sets how the camera follows', () => {
  const placed: CameraPlace[] = [];
  viewer.value = { placeCamera: (place: CameraPlace) => placed.push(place) } as unknown as SceneView;
  const place: CameraPlace = { azimuth: 1, elevation: 0, distance: 3, target: [0, 0, 1], follow: 'free' };
  placeCamera(place);
  expect([placed, followMode.value]).toEqual([[place], 'free']);
  viewer.value = null;
  followMode.value = 'follow';
});
