import type { Socket } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { finish, Listener, request } from '../support/client.ts';
import { open, readAnswer, readStatus, requestText } from '../support/raw-http.ts';
import { call } from '../support/service-process.ts';
import { useStudio } from '../support/use-studio.ts';

const studio = useStudio();

const OPEN_FILES = 256;

beforeAll(async () => {
  const through = ['/bin/sh', '-c', `ulimit -n ${OPEN_FILES} && exec "$@"`, 'sh'];
  await studio.start([], { through });
});

test('connections beyond the limit of open files get 503, and connected clients keep working', async () => {
  await expect
    .poll(() => studio.service.stderr())
    .toContain(`the limit of this process is ${OPEN_FILES}. Accepting at most 128 connections`);
  const { port } = studio;
  const listener = await Listener.open(studio.address);
  await listener.nextFrame(() => true);
  const kept = await open(port);
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (): Promise<[Socket, number]> => {
      const socket = await open(port);
      socket.write(requestText('GET', '/healthz'));
      return [socket, await readStatus(socket)];
    }),
  );
  const count = (status: number) => answers.filter(([, given]) => given === status).length;
  expect(count(200)).toBe(128 - 2); // the listener and `kept` occupy two connections
  expect(count(503)).toBe(200 - count(200));

  const before = listener.frame!.header.seq;
  await listener.nextFrame(({ header }) => header.seq > before + 1);
  kept.write(requestText('GET', '/api/data/clips?dataset=samples'));
  expect(JSON.parse((await readAnswer(kept)).body)).toMatchObject({ total: 6 });
  await expect(Listener.open(studio.address)).rejects.toThrow('503');

  for (const [socket] of answers) socket.destroy();
  kept.destroy();
  await expect.poll(() => call(studio.address, '/healthz').catch(String)).toMatchObject({ ok: true });
  expect((await finish(studio.address, 'POST /api/data/load', { dataset: 'samples', clip: 'squat' })).state).toBe(
    'done',
  );
  expect((await request(studio.address, 'GET /api/data/preview')).body).toMatchObject({ clip: 'squat' });
  listener.close();
});
