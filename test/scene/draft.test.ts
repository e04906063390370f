import { expect, test } from 'vitest';
import { createFrameRing, type FrameRing, openFrameRing, readLatest } from '../../src/core/frame-ring.ts';
import { decodeFrame } from '../../src/protocol/frame.ts';
import { SceneManager } from '../../src/scene/scene-manager.ts';
import { BodyPoses } from '../../src/sim/body-poses.ts';
import { FrameBuilder } from '../../src/sim/frame-builder.ts';
import { loadMujoco } from '../../src/sim/mujoco.ts';

const mj = await loadMujoco();
const OPTIONS = { speed: 1, loop: true, ghost: false, keybodies: false, contacts: false, trail: false };
const BOX = '<body name="box"><freejoint/><geom size="0.1"/></body>';
const LEVER = `<body name="box"><freejoint/><geom size="0.1"/>
  <body name="lever" pos="0 0 0.5"><joint axis="0 1 0"/><geom size="0.1"/></body></body>`;

function robotOf(body: string, wiring = { anchor: 0, keybodies: [0], feet: [0], ends: [0], footSoleZ: 0.1 }) {
  const model = mj.mj_compile(mj.parseXMLString(`<mujoco><worldbody>${body}</worldbody></mujoco>`));
  return { poses: new BodyPoses(mj, model), wiring };
}

/** A scene manager that shows the box as model version 3. */
function open() {
  let ring: FrameRing = createFrameRing(64);
  const frames = new FrameBuilder(
    (buffer) => {
      ring = openFrameRing(buffer);
    },
    () => {},
    0,
  );
  const scenes = new SceneManager(frames, () => {});
  const at = (z: number, ...joints: number[]) => Float64Array.of(0, 0, z, 1, 0, 0, 0, ...joints);
  scenes.setRobot(robotOf(BOX), at(1), false, { modelVersion: 3, terrainVersion: 1 });
  const latest = () => {
    let copy = new ArrayBuffer(0);
    readLatest(ring, 0, (bytes) => {
      copy = Uint8Array.from(bytes).buffer;
    });
    return decodeFrame(copy);
  };
  const draft = (wired: number[], version = 4) =>
    scenes.setDraft(robotOf(LEVER, { anchor: 0, keybodies: wired, feet: [1], ends: [1], footSoleZ: 0 }), at(2, 0.5), {
      modelVersion: version,
      terrainVersion: 1,
    });
  const rows = Float64Array.from([0, 1, 2].flatMap((x) => [x, 0, 1, 1, 0, 0, 0]));
  const clip = () => scenes.openClip({ name: 'walk', fps: 10, frames: 3, rows }, OPTIONS);
  return { scenes, latest, draft, clip };
}

test('a draft is shown with its own model and markers on its wiring, and closing it leaves the robot unchanged', () => {
  const { scenes, latest, draft } = open();
  draft([0, 1]);
  const frame = latest();
  expect(frame.header).toMatchObject({ owner: 'import', model_version: 4, nbody: 2 });
  expect(frame.blob[2]).toBeCloseTo(2);
  expect(frame.header.overlays).toMatchObject([{ name: 'wiring', kind: 'spheres', count: 16 }]);
  draft([1], 5);
  expect(latest().header).toMatchObject({ model_version: 5, overlays: [{ name: 'wiring', count: 12 }] });
  scenes.closeDraft('robots');
  expect(latest().header).toMatchObject({ owner: 'robots', model_version: 3, nbody: 1, overlays: [] });
  expect(latest().blob[2]).toBeCloseTo(1);
});

test('a playing clip is paused while a draft is shown, and shown again when the draft closes', () => {
  const { scenes, latest, draft, clip } = open();
  clip();
  scenes.tick(0.1);
  draft([0]);
  expect(scenes.transport({ kind: 'state' })).toMatchObject({ playing: false });
  scenes.closeDraft('data');
  expect(latest().header).toMatchObject({ owner: 'data', model_version: 3, hud: { clip: 'walk', frame: 1 } });
});

test('a scene shown after a draft stays when the draft closes, and a request to show the draft brings it back', () => {
  const { scenes, latest, draft, clip } = open();
  draft([0]);
  clip();
  expect(latest().header).toMatchObject({ owner: 'data', model_version: 3 });
  scenes.closeClip();
  scenes.show('import');
  expect(latest().header).toMatchObject({ owner: 'import', model_version: 4 });
  scenes.show('robots');
  scenes.closeDraft('data');
  expect(latest().header.owner).toBe('robots');
});
