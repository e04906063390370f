import { beforeEach, describe, expect, test } from 'vitest';
import { createFrameRing, type FrameRing, openFrameRing, readLatest } from '../../src/core/frame-ring.ts';
import { decodeFrame } from '../../src/protocol/frame.ts';
import type { DataOptions } from '../../src/protocol/schemas/data.ts';
import type { Transport } from '../../src/scene/playback.ts';
import { SceneManager } from '../../src/scene/scene-manager.ts';
import { BodyPoses } from '../../src/sim/body-poses.ts';
import { FrameBuilder } from '../../src/sim/frame-builder.ts';
import { loadMujoco } from '../../src/sim/mujoco.ts';

/** Spacing of clips in place, m, as a float32. */
const CELL = Math.fround(1.4);

const mj = await loadMujoco();
const OPTIONS: DataOptions = { speed: 1, loop: true, ghost: false, keybodies: false, contacts: false, trail: false };
const BOX = `<mujoco><worldbody><body name="box"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>`;

/** A box that starts at (7, 3) and rises by 1 m per row; `frames` rows at `fps`. */
function rising(name: string, frames: number, fps: number) {
  const rows = Float64Array.from(Array.from({ length: frames }, (_, k) => [7, 3, k, 1, 0, 0, 0]).flat());
  return { name, fps, frames, rows };
}

let scenes: SceneManager;
let ring: FrameRing;
const played: Transport[] = [];
beforeEach(() => {
  played.length = 0;
  ring = createFrameRing(64);
  const frames = new FrameBuilder(
    (buffer) => {
      ring = openFrameRing(buffer);
    },
    () => {},
    0,
  );
  scenes = new SceneManager(frames, (transport) => played.push(transport));
  const wiring = { anchor: 0, keybodies: [0], feet: [0], ends: [0], footSoleZ: 0.1 };
  const robot = { poses: new BodyPoses(mj, mj.mj_compile(mj.parseXMLString(BOX))), wiring };
  scenes.setRobot(robot, Float64Array.of(0, 0, 1, 1, 0, 0, 0), false, { modelVersion: 1, terrainVersion: 1 });
});

const latest = () => {
  let copy = new ArrayBuffer(0);
  readLatest(ring, 0, (bytes) => {
    copy = Uint8Array.from(bytes).buffer;
  });
  return decodeFrame(copy);
};
const heights = () => {
  const { header, blob } = latest();
  return Array.from({ length: header.n }, (_, k) => blob[header.poses.offset + 7 * k + 2]!);
};
/** Clips of 1 s, 0.3 s and 0.4 s; the last one has another frame rate. */
const CLIPS = [rising('long', 11, 10), rising('short', 4, 10), rising('fast', 21, 50)];

test('every clip has its own robot, which begins above the centre of its cell', () => {
  expect(scenes.openGrid(CLIPS, OPTIONS)).toEqual({ frame: 0, time: 0, playing: true });
  const { header, blob } = latest();
  expect(header).toMatchObject({ owner: 'data', n: 3, nbody: 1, focus: 0, ghost: null });
  const places = [0, 1, 2].map((k) => [...blob.subarray(7 * k, 7 * k + 2)]);
  expect(places).toEqual([
    [CELL, 0],
    [0, 0],
    [-CELL, 0],
  ]);
});

describe('a grid on one clock', () => {
  test('all clips of a grid show the same time, each by its own frame rate', () => {
    scenes.openGrid(CLIPS, OPTIONS);
    expect(scenes.transport({ kind: 'time', time: 0.2 })).toMatchObject({ frame: 2, time: 0.2 });
    expect(heights()).toEqual([2, 2, 10]);
    expect(latest().header.hud).toMatchObject({ frame: 2, time: 0.2 });
  });

  test('with loop a shorter clip shows its last frame and then restarts', () => {
    scenes.openGrid(CLIPS, OPTIONS);
    scenes.transport({ kind: 'time', time: 0.3 });
    expect(heights()).toEqual([3, 3, 15]);
    scenes.transport({ kind: 'time', time: 0.5 });
    const [long, short, fast] = heights();
    expect([long, fast]).toEqual([5, 5]);
    expect(short).toBeCloseTo(2, 5);
    scenes.transport({ kind: 'frame', frame: 10 });
    expect(heights()[0]).toBe(10);
  });

  test('without loop a shorter clip waits on its last frame until the longest has ended', () => {
    scenes.openGrid(CLIPS, { ...OPTIONS, loop: false });
    scenes.transport({ kind: 'time', time: 0.5 });
    expect(heights()).toEqual([5, 3, 20]);
    for (let k = 0; k < 10; k++) scenes.tick(0.1);
    expect(scenes.transport({ kind: 'state' })).toEqual({ frame: 10, time: 1, playing: false });
    expect(heights()).toEqual([10, 3, 20]);
    expect(played).toHaveLength(1);
  });
});

test('markers and contacts are drawn for all robots at their positions', () => {
  scenes.openGrid(CLIPS, { ...OPTIONS, keybodies: true, contacts: true, trail: true, ghost: true });
  const { header, blob } = latest();
  const overlay = (name: string) => {
    const found = header.overlays.find((one) => one.name === name);
    return found && [...blob.subarray(found.offset, found.offset + found.count)];
  };
  const radius = Math.fround(0.017);
  expect(overlay('keybodies')).toEqual([CELL, 0, 0, radius, 0, 0, 0, radius, -CELL, 0, 0, radius]);
  expect(overlay('contacts')).toEqual([CELL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -CELL, 0, 0, 0, 0, 0]);
  expect(overlay('trail')).toBeUndefined();
  scenes.transport({ kind: 'time', time: 0.1 });
  expect(latest().header.overlays.find(({ name }) => name === 'contacts')?.count).toBe(0);
});

test('a grid replaces a clip, and a clip replaces a grid', () => {
  scenes.openClip(CLIPS[1]!, OPTIONS, 4);
  scenes.openGrid(CLIPS, OPTIONS);
  expect(latest().header.n).toBe(3);
  scenes.setGhost(4, CLIPS[1]!); // the ghost arrives after the grid was opened: it is ignored
  expect(latest().header).toMatchObject({ n: 3, ghost: null });
  scenes.openClip(CLIPS[0]!, OPTIONS, 5);
  expect(latest().header.n).toBe(1);
});

test('a clip that does not match the robot is refused by name, and the open preview stays', () => {
  scenes.openClip(CLIPS[0]!, OPTIONS, 1);
  const bad = { name: 'bad', fps: 10, frames: 2, rows: new Float64Array(18) };
  expect(() => scenes.openGrid([CLIPS[0]!, bad], OPTIONS)).toThrow(/bad has [\d.]+ columns, but the robot needs \d+/);
  expect(latest().header.n).toBe(1);
});
