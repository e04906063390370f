import { readFileSync } from 'node:fs';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { collectGarbageSoon } from '../../core/collect-garbage.ts';
import { messageOf, StudioError, unreachable } from '../../core/errors.ts';
import { openPlayMemory } from '../../play/play-memory.ts';
import type { PlayScene } from '../../play/play-scene.ts';
import { type PlayAction, PlaySession } from '../../play/play-session.ts';
import type { Transport } from '../../scene/playback.ts';
import { SceneManager } from '../../scene/scene-manager.ts';
import { BodyPoses } from '../../sim/body-poses.ts';
import { FrameBuilder } from '../../sim/frame-builder.ts';
import { loadMujoco } from '../../sim/mujoco.ts';
import { PacedLoop } from '../../sim/paced-loop.ts';
import { PortGroup } from '../play/port-group.ts';
import type { FromSim, RobotForStage, SimSettings, ToSim } from './messages.ts';

const port = parentPort;
if (!port) throw new Error('sim.worker must be started as a worker thread');
const send = (message: FromSim) => port.postMessage(message);
const { fps, seq } = workerData as SimSettings;

// MuJoCo reports warnings through console.warn. MuJoCo's loader prints errors to console.error before it throws them.
console.warn = (...parts: unknown[]) => send({ type: 'warning', message: parts.join(' ') });
console.error = () => {};

const mj = await loadMujoco();
console.error = console.warn;
const frames = new FrameBuilder(
  (buffer) => send({ type: 'ring', buffer }),
  () => send({ type: 'wake' }),
  seq,
);
const scenes = new SceneManager(frames, (transport) => send({ type: 'played-out', transport }), fps);

/** Shows a robot: the selected robot, or the robot that is being imported. */
function loadRobot(robot: RobotForStage, isDraft: boolean): void {
  mj.FS.writeFile('/shown-robot.mjb', readFileSync(robot.physicsPath));
  const noFiles = new mj.MjVFS();
  try {
    const model = mj.MjModel.from_binary_path('/shown-robot.mjb', noFiles);
    const { wiring, qpos, showWiring, modelVersion, terrainVersion } = robot;
    const poses = new BodyPoses(mj, model);
    const versions = { modelVersion, terrainVersion };
    if (isDraft) scenes.setDraft({ poses, wiring }, qpos, versions);
    else scenes.setRobot({ poses, wiring }, qpos, showWiring, versions);
  } finally {
    noFiles.delete();
  }
}

let session: PlaySession | null = null;

/** Shows a play session. The session's environments run in other threads. */
function openSession(play: PlayScene, ports: readonly MessagePort[]): void {
  scenes.setSession((robot) => {
    const memory = openPlayMemory(play.buffer, play);
    const made: PlaySession = new PlaySession(play, {
      memory,
      group: new PortGroup(ports),
      wiring: robot.wiring,
      frameS: 1 / fps,
      onStepped: () => scenes.sessionMoved(made),
    });
    session = made;
    return made;
  });
  // Free the memory of the previous session.
  collectGarbageSoon();
}

async function play(action: PlayAction): Promise<null> {
  if (!session) throw new StudioError('conflict', 'there is no play session');
  await session.act(action);
  scenes.presentSession();
  return null;
}

function run(message: ToSim): Transport | null | Promise<null> {
  switch (message.type) {
    case 'play-open':
      openSession(message.stage, message.ports);
      return null;
    case 'play':
      return play(message.action);
    case 'play-close':
      session = null;
      scenes.closeSession(message.next);
      collectGarbageSoon();
      return null;
    case 'robot':
      loadRobot(message.robot, false);
      return null;
    case 'draft':
      loadRobot(message.robot, true);
      return null;
    case 'close-draft':
      scenes.closeDraft(message.next);
      return null;
    case 'pose':
      scenes.setPose(message.qpos);
      return null;
    case 'wiring':
      scenes.showWiring(message.show);
      return null;
    case 'open':
      return scenes.openClip(message.clip, message.options, message.id);
    case 'replace':
      return scenes.replaceClip(message.clip, message.id);
    case 'open-grid':
      return scenes.openGrid(message.clips, message.options);
    case 'open-recording':
      return scenes.openRecording(message.recorded, message.options);
    case 'ghost':
      scenes.setGhost(message.id, message.ghost);
      return null;
    case 'close':
      scenes.closeClip();
      return null;
    case 'show':
      scenes.show(message.owner);
      return null;
    case 'transport':
      return scenes.transport(message.command);
    default:
      return unreachable(message);
  }
}

port.on('message', async (message: ToSim) => {
  try {
    const outcome = run(message);
    // Answer a synchronous command immediately, so that answers have the order of the commands.
    send({ type: 'done', seq: message.seq, transport: outcome instanceof Promise ? await outcome : outcome });
  } catch (error) {
    const code = error instanceof StudioError ? error.code : 'internal';
    send({ type: 'failed', seq: message.seq, code, detail: messageOf(error) });
  }
});

new PacedLoop(fps, (dtS) => scenes.tick(dtS)).start();
send({ type: 'ready' });
