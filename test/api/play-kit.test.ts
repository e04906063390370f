import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from '../support/client.ts';
import { addKitRun } from '../support/deploy-run.ts';
import { hasKit } from '../support/kit.ts';
import { configure, convertAll, recordOf, sessionOf, until } from '../support/play-client.ts';
import { useStudio } from '../support/use-studio.ts';
import { addG1, addKitClip } from '../support/workspace.ts';

const studio = useStudio();

const RUN = 'wbc_g1/dance1_subject2';
/** Frames of the clip at which the robots start. */
const STARTS = [0, 1000, 3000, 5000];
const SECONDS = 6;

beforeAll(async () => {
  if (!hasKit) return;
  addG1(studio.workspace);
  addKitClip(studio.workspace, 'dance', 'dance1_subject2');
  addKitRun(path.join(studio.workspace, 'logs/rsl_rl'));
  await studio.start();
});
afterAll(async () => {
  if (!hasKit) return;
});

test.skipIf(!hasKit)(
  'a real policy on the G1 tracks its clip from several frames as well as measured before',
  async () => {
    await request(studio.address, 'POST /api/robot/select', { name: 'g1' }, { prefer: 'wait=60' });
    await convertAll(studio.address, 'dance');
    await configure(studio.address, { run: RUN, num_envs: STARTS.length });
    await request(studio.address, 'POST /api/play/playing', { playing: false });
    await request(studio.address, 'POST /api/play/restart');
    for (const [env, frame] of STARTS.entries())
      await request(studio.address, 'POST /api/play/clip', { clip: 'dance1_subject2', env, frame });
    await request(studio.address, 'POST /api/play/options', { speed: 8 });
    const { sim_time: began } = await sessionOf(studio.address);
    await request(studio.address, 'POST /api/play/playing', { playing: true });
    const session = await until(
      () => sessionOf(studio.address),
      ({ sim_time: time }) => time - began >= SECONDS,
      60_000,
    );
    await request(studio.address, 'POST /api/play/playing', { playing: false });
    expect(session.figures!.ends).toEqual([]);
    for (const [env, start] of STARTS.entries()) {
      const { header, data, ref, meta } = await recordOf(studio.address, { env });
      // A step advances the clip, so a row holds the reference of the frame after the one that commanded the step.
      expect([...meta.subarray(0, 3)]).toEqual([0, start + 1, 1]);
      const joints = header.channels!.flatMap(({ group }, column) => (group === 'joints' ? [column] : []));
      let sum = 0;
      for (let row = 0; row < header.end; row += 1)
        for (const column of joints)
          sum += (data[row * header.cols.data + column]! - ref[row * header.cols.ref + column]!) ** 2;
      const rmse = Math.sqrt(sum / header.end / joints.length);
      // Measured: 0.12 to 0.14 rad over 30 s.
      expect(`env ${env}: ${rmse > 0.05 && rmse < 0.16}`).toBe(`env ${env}: true`);
      expect(session.figures!.errors[env]).toBeLessThan(0.08);
    }
  },
  180_000,
);
