import { describe, expect, test } from 'vitest';
import { createFrameRing, type FrameRing, openFrameRing, readLatest } from '../../src/core/frame-ring.ts';
import { decodeFrame } from '../../src/protocol/frame.ts';
import type { DataOptions } from '../../src/protocol/schemas/data.ts';
import type { LoadedClip } from '../../src/scene/clip-preview.ts';
import type { Transport } from '../../src/scene/playback.ts';
import { SceneManager } from '../../src/scene/scene-manager.ts';
import { BodyPoses } from '../../src/sim/body-poses.ts';
import { FrameBuilder } from '../../src/sim/frame-builder.ts';
import { loadMujoco } from '../../src/sim/mujoco.ts';

const mj = await loadMujoco();
const OPTIONS: DataOptions = { speed: 1, loop: true, ghost: false, keybodies: false, contacts: false, trail: false };

/** A free box with one hinged lever: nq = 8. */
const LEVER = `<mujoco><worldbody><body name="box"><freejoint/><geom size="0.1"/>
  <body name="lever" pos="0 0 0.5"><joint axis="0 1 0"/><geom size="0.1"/></body></body></worldbody></mujoco>`;

function open(clip: Partial<LoadedClip> = {}, options: Partial<DataOptions> = {}) {
  let ring: FrameRing = createFrameRing(64);
  const frames = new FrameBuilder(
    (buffer) => {
      ring = openFrameRing(buffer);
    },
    () => {},
    0,
  );
  const played: Transport[] = [];
  const scenes = new SceneManager(frames, (transport) => played.push(transport));
  const model = mj.mj_compile(mj.parseXMLString(LEVER));
  const wiring = { anchor: 0, keybodies: [0, 1], feet: [1], ends: [1], footSoleZ: 0.1 };
  const robot = { poses: new BodyPoses(mj, model), wiring };
  scenes.setRobot(robot, Float64Array.of(0, 0, 1, 1, 0, 0, 0, 0), false, { modelVersion: 3, terrainVersion: 1 });
  // Four rows at 10 rows/s: per row, the box moves 1 m along x and turns by 90° about z, the lever by 0.1 rad.
  const half = (angle: number) => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
  const rows = Float64Array.from([0, 1, 2, 3].flatMap((k) => [k, 0, 1, ...half((k * Math.PI) / 2), 0.1 * k]));
  scenes.openClip({ name: 'walk', fps: 10, frames: 4, rows, ...clip }, { ...OPTIONS, ...options }, 1);
  const latest = () => {
    let copy = new ArrayBuffer(0);
    readLatest(ring, 0, (bytes) => {
      copy = Uint8Array.from(bytes).buffer;
    });
    return decodeFrame(copy);
  };
  return { scenes, latest, played };
}

const boxPose = (frame: ReturnType<typeof decodeFrame>) => [...frame.blob.subarray(0, 7)];

test('on a whole frame the root pose is the row of the file', () => {
  const { scenes, latest } = open();
  scenes.transport({ kind: 'playing', playing: false });
  expect(scenes.transport({ kind: 'frame', frame: 2 })).toEqual({ frame: 2, time: 0.2, playing: false });
  const frame = latest();
  expect(frame.header).toMatchObject({
    owner: 'data',
    n: 1,
    nbody: 2,
    model_version: 3,
    hud: { frame: 2, clip: 'walk' },
  });
  const pose = boxPose(frame);
  expect(pose.slice(0, 3)).toEqual([2, 0, 1]);
  expect(Math.abs(pose[6]!)).toBeCloseTo(1, 6); // half a turn about z
});

test('between frames the position is linear and the orientation rotates at a constant rate', () => {
  const { scenes, latest } = open();
  scenes.transport({ kind: 'time', time: 0.05 });
  const [x, , , w, , , z] = boxPose(latest());
  expect(x).toBeCloseTo(0.5, 6);
  expect(2 * Math.atan2(z!, w!)).toBeCloseTo(Math.PI / 4, 6);
});

test('a time that differs from a whole frame only by rounding shows that frame', () => {
  const { scenes } = open({ fps: 30, frames: 4 });
  for (let k = 0; k < 4; k++) expect(scenes.transport({ kind: 'time', time: k / 30 }).frame).toBe(k);
});

test('frames and times beyond the clip are clamped', () => {
  const { scenes } = open();
  expect(scenes.transport({ kind: 'frame', frame: 99 }).frame).toBe(3);
  expect(scenes.transport({ kind: 'time', time: -5 })).toMatchObject({ frame: 0, time: 0 });
});

test('speed scales time, and a looping clip continues from its start', () => {
  const { scenes } = open({}, { speed: 2 });
  scenes.tick(0.1);
  expect(scenes.transport({ kind: 'state' }).time).toBeCloseTo(0.2, 9);
  scenes.tick(0.1); // 0.4 s into a clip of 0.3 s
  const now = scenes.transport({ kind: 'state' });
  expect(now.time).toBeCloseTo(0.1, 9);
  expect(now.playing).toBe(true);
});

test('without loop the clip stops on its last frame and reports it once', () => {
  const { scenes, latest, played } = open({}, { loop: false });
  for (let k = 0; k < 5; k++) scenes.tick(0.1);
  expect(scenes.transport({ kind: 'state' })).toEqual({ frame: 3, time: 0.3, playing: false });
  expect(boxPose(latest())[0]).toBe(3);
  expect(played).toHaveLength(1);
  scenes.transport({ kind: 'playing', playing: true });
  expect(scenes.transport({ kind: 'state' }).frame).toBe(0);
});

test('a seek keeps the preview playing; a preview that is no longer shown is paused and kept', () => {
  const { scenes, latest } = open();
  expect(scenes.transport({ kind: 'frame', frame: 1 }).playing).toBe(true);
  scenes.show('robots');
  expect(latest().header.owner).toBe('robots');
  expect(scenes.transport({ kind: 'state' })).toEqual({ frame: 1, time: 0.1, playing: false });
  expect(latest().header.owner).toBe('robots'); // a query does not show the preview
  scenes.transport({ kind: 'playing', playing: null });
  expect(latest().header.owner).toBe('data');
});

test('an unchanged scene is published once a second, a moving one every tick', () => {
  const { scenes, latest } = open();
  scenes.transport({ kind: 'playing', playing: false });
  const paused = latest().header.seq;
  for (let k = 0; k < 120; k++) scenes.tick(1 / 60);
  expect(latest().header.seq - paused).toBe(2);
  scenes.transport({ kind: 'playing', playing: true });
  const playing = latest().header.seq;
  for (let k = 0; k < 60; k++) scenes.tick(1 / 60);
  expect(latest().header.seq - playing).toBe(60);
});

test('keybody markers are spheres at the bodies', () => {
  const { scenes, latest } = open({}, { keybodies: true });
  scenes.transport({ kind: 'frame', frame: 1 });
  const { header, blob } = latest();
  const overlay = header.overlays[0]!;
  expect(overlay).toMatchObject({ name: 'keybodies', kind: 'spheres', stride: 4, count: 8 });
  expect([...blob.subarray(overlay.offset, overlay.offset + 3)]).toEqual([1, 0, 1]);
  expect(blob[overlay.offset + 6]).toBeCloseTo(1.5, 6);
});

test('a clip whose columns do not match the robot is refused and the open clip stays', () => {
  const { scenes } = open();
  const bad = { name: 'bad', fps: 10, frames: 2, rows: new Float64Array(18) };
  expect(() => scenes.openClip(bad, OPTIONS)).toThrow(/9 columns, but the robot needs 8/);
  expect(scenes.transport({ kind: 'frame', frame: 3 }).frame).toBe(3);
});

test('play, pause and seek without an open clip are a conflict', () => {
  const { scenes, latest } = open();
  scenes.closeClip();
  expect(latest().header.owner).toBe('robots');
  expect(() => scenes.transport({ kind: 'frame', frame: 0 })).toThrow(/no clip is open/);
});

test('a trail ends at the body and begins 0.7 s earlier, or at the first frame', () => {
  const { scenes, latest } = open({}, { trail: true });
  scenes.transport({ kind: 'frame', frame: 3 });
  const { header, blob } = latest();
  const trail = header.overlays.find((overlay) => overlay.name === 'trail')!;
  expect(trail.kind).toBe('lines');
  const lever = [...blob.subarray(7, 10)];
  expect([...blob.subarray(trail.offset + trail.count - 3, trail.offset + trail.count)]).toEqual(lever);
  expect(blob[trail.offset]).toBe(0); // 0.3 s into the clip, the path begins at its first frame, x = 0
});

test('a foot whose sole is on the floor has a contact arrow, a raised foot has none', () => {
  const rows = Float64Array.from([0.5, 0, -0.41, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0]);
  const { scenes, latest } = open({ frames: 2, rows }, { contacts: true });
  scenes.transport({ kind: 'frame', frame: 0 });
  const { header, blob } = latest();
  const contacts = header.overlays.find((overlay) => overlay.name === 'contacts')!;
  expect([...blob.subarray(contacts.offset, contacts.offset + contacts.count)]).toEqual([0.5, 0, 0, 0, 0, 0]);
  scenes.transport({ kind: 'frame', frame: 1 });
  expect(latest().header.overlays.find((overlay) => overlay.name === 'contacts')?.count).toBe(0);
});

describe('the ghost', () => {
  /** The raw source: the same path at 5 rows per second, shifted 1 m sideways to distinguish it from the clip. */
  const raw = { fps: 5, frames: 2, rows: Float64Array.from([0, 1, 1, 1, 0, 0, 0, 0, 2, 1, 1, 1, 0, 0, 0, 0.2]) };
  const ghostOf = ({ header, blob }: ReturnType<typeof decodeFrame>) => {
    if (!header.ghost) return null;
    expect(header.ghost).toMatchObject({ n: 1, count: 14 });
    return [...blob.subarray(header.ghost.offset, header.ghost.offset + 7)];
  };

  test('the ghost is the raw source at the same time, by its own frame rate', () => {
    const { scenes, latest } = open({}, { ghost: true });
    scenes.setGhost(1, raw);
    scenes.transport({ kind: 'playing', playing: false });
    scenes.transport({ kind: 'frame', frame: 1 }); // 0.1 s: halfway between the raw rows
    const frame = latest();
    expect(ghostOf(frame)?.slice(0, 3)).toEqual([1, 1, 1]);
    expect(boxPose(frame).slice(0, 3)).toEqual([1, 0, 1]);
    scenes.transport({ kind: 'frame', frame: 3 }); // at 0.3 s, after the last frame of the raw source
    expect(ghostOf(latest())?.slice(0, 3)).toEqual([2, 1, 1]);
  });

  test('the ghost is shown while its option is on', () => {
    const { scenes, latest } = open();
    scenes.setGhost(1, raw);
    expect(ghostOf(latest())).toBeNull();
    scenes.transport({ kind: 'options', options: { ...OPTIONS, ghost: true } });
    expect(ghostOf(latest())).not.toBeNull();
    scenes.transport({ kind: 'options', options: OPTIONS });
    expect(ghostOf(latest())).toBeNull();
  });

  test('a ghost of a clip that is no longer open is ignored', () => {
    const { scenes, latest } = open({}, { ghost: true });
    scenes.setGhost(2, raw);
    scenes.transport({ kind: 'frame', frame: 1 });
    expect(ghostOf(latest())).toBeNull();
  });

  test('a ghost whose columns do not match the robot is refused', () => {
    const { scenes } = open({}, { ghost: true });
    expect(() => scenes.setGhost(1, { fps: 5, frames: 2, rows: new Float64Array(18) })).toThrow(
      /9 columns, but the robot needs 8/,
    );
  });
});
