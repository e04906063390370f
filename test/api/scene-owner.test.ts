import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { SceneOwner } from '../../src/protocol/events.ts';
import { Listener, request } from '../support/client.ts';
import { WALKER_MJCF } from '../support/models.ts';
import { configure, convertAll, until } from '../support/play-client.ts';
import { randomFrom } from '../support/random.ts';
import { preparedHumanoid } from '../support/robots.ts';
import { addSmallRun } from '../support/small-run.ts';
import { useStudio } from '../support/use-studio.ts';
import { addWalker } from '../support/workspace.ts';

const studio = useStudio();

const RUN = 'small/zero';
const WAIT = { prefer: 'wait=60' };

beforeAll(async () => {
  addWalker(studio.workspace);
  addSmallRun(path.join(studio.workspace, 'logs/rsl_rl'), (await preparedHumanoid()).facts.joints.length, RUN);
  await studio.start();
  await convertAll(studio.address, 'samples');
  await fetch(`${studio.address}/api/robots/import/upload/draft/draft.xml`, { method: 'PUT', body: WALKER_MJCF });
});

/** The expected state by the specification's table: who owns the scene, which former owners still have content, what
 *  plays. */
class Expected {
  stack: SceneOwner[] = ['robots'];
  /** whether it plays; null if there is no preview and no session */
  preview: boolean | null = null;
  session: boolean | null = null;
  draft = false;

  get owner(): SceneOwner {
    return this.stack.at(-1)!;
  }

  take(owner: SceneOwner): void {
    this.stack = [...this.stack.filter((other) => other !== owner), owner];
    if (owner !== 'data' && this.preview !== null) this.preview = false;
    if (owner !== 'play' && this.session !== null) this.session = false;
  }

  release(owner: SceneOwner): void {
    if (owner !== 'robots') this.stack = this.stack.filter((other) => other !== owner);
  }
}

type Call = (state: Expected) => Promise<void>;

const post = (row: string, body: object = {}, headers = {}) =>
  request(studio.address, `POST ${row}` as 'POST /api/play/step', body, headers);
const status = async (row: string, body: object, wanted: number) =>
  expect(`${row} ${(await post(row, body)).status}`).toBe(`${row} ${wanted}`);

const CALLS: Readonly<Record<string, Call>> = {
  async show(state) {
    await status('/api/robot/joint/show', {}, 200);
    state.take('robots');
  },
  async pose(state) {
    await status('/api/robot/joint', { name: 'left_knee_joint', value: 0.5 }, 200);
    state.take('robots');
  },
  async selectAgain() {
    await post('/api/robot/select', { name: 'humanoid' }, WAIT);
  },
  async selectOther(state) {
    await post('/api/robot/select', { name: 'walker' }, WAIT);
    await post('/api/robot/select', { name: 'humanoid' }, WAIT);
    state.preview = null;
    state.session = null;
    state.release('data');
    state.release('play');
    state.take('robots');
  },
  async load(state) {
    await post('/api/data/load', { dataset: 'samples', clip: 'walk_forward' }, WAIT);
    state.preview = true;
    state.take('data');
  },
  async grid(state) {
    await post('/api/data/grid', { dataset: 'samples', count: 3 }, WAIT);
    state.preview = true;
    state.take('data');
  },
  async loadNothing() {
    await status('/api/data/load', { dataset: 'samples', clip: 'nothing' }, 400);
  },
  async playClip(state) {
    await status('/api/data/playing', { playing: true }, state.preview === null ? 409 : 200);
    if (state.preview === null) return;
    state.take('data');
    state.preview = true;
  },
  async seek(state) {
    await status('/api/data/frame', { frame: 3 }, state.preview === null ? 409 : 200);
    if (state.preview !== null) state.take('data');
  },
  async closeClip(state) {
    await status('/api/data/close', {}, 200);
    state.preview = null;
    state.release('data');
  },
  async configure(state) {
    await configure(studio.address, { run: RUN, checkpoint: '', terminations: false });
    // A change of the running session does not start it if it is paused.
    state.session ??= true;
    state.take('play');
  },
  async rebuild(state) {
    await configure(studio.address, { run: RUN, checkpoint: '', seed: Math.floor(Math.random() * 1e6) });
    state.session = true;
    state.take('play');
  },
  async configureNothing() {
    await status('/api/play/configure', { run: 'small/nothing' }, 400);
  },
  async playSession(state) {
    await status('/api/play/playing', { playing: true }, state.session === null ? 409 : 200);
    if (state.session === null) return;
    state.take('play');
    state.session = true;
  },
  async step(state) {
    await status('/api/play/step', {}, state.session === null ? 409 : 200);
    if (state.session === null) return;
    state.take('play');
    state.session = false;
  },
  async options(state) {
    await status('/api/play/options', { ghost: true }, state.session === null ? 409 : 200);
    if (state.session !== null) state.take('play');
  },
  async stop(state) {
    await status('/api/play/stop', {}, 200);
    state.session = null;
    state.release('play');
  },
  async showDraft(state) {
    const { body } = await request(studio.address, 'POST /api/robots/import/inspect', {
      id: 'draft',
      model: 'draft.xml',
    });
    await request(studio.address, 'POST /api/robots/import/preview', { wiring: body.wiring });
    state.draft = true;
    state.take('import');
  },
  async cancel(state) {
    await status('/api/robots/import/cancel', {}, 200);
    if (!state.draft) return;
    state.draft = false;
    state.release('import');
  },
};

test.each([1, 2, 3, 4])(
  'random sequences of calls always leave the scene with the owner that the contract states (seed %i)',
  async (seed) => {
    const random = randomFrom(seed);
    const listener = await Listener.open(studio.address);
    const names = Object.keys(CALLS);
    await post('/api/robots/import/cancel');
    await post('/api/data/close');
    await post('/api/play/stop');
    await post('/api/robot/joint/show');
    const state = new Expected();
    const made: string[] = [];
    for (let count = 0; count < 25; count += 1) {
      const name = names[Math.floor(random() * names.length)]!;
      made.push(name);
      const where = made.join(' ');
      await CALLS[name]!(state);
      await listener
        .nextFrame(({ header }) => header.owner === state.owner)
        .catch(() => {
          throw new Error(`after ${where}: ${listener.frame?.header.owner} has the scene instead of ${state.owner}`);
        });
      const { body: preview } = await request(studio.address, 'GET /api/data/preview');
      expect([where, preview.open && preview.playing]).toEqual([where, state.preview ?? false]);
      const { body: play } = await until(
        () => request(studio.address, 'GET /api/play'),
        ({ body }) => body.session?.state !== 'building',
      );
      expect([where, play.session?.playing ?? null]).toEqual([where, state.session]);
    }
    listener.close();
  },
);
