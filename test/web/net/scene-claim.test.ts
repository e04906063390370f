import { expect, test } from 'vitest';
import { SceneClaim } from '../../../web/src/net/scene-claim.ts';
import { ServiceConnection } from '../../../web/src/net/service-connection.ts';

test('a change of the scene is attributed to an action of this page for 5 s', () => {
  const clock = { ms: 0 };
  const claim = new SceneClaim(() => clock.ms);
  expect(claim.causedHere()).toBe(false);
  claim.ownAction();
  clock.ms = 4999;
  expect(claim.causedHere()).toBe(true);
  clock.ms = 5000;
  expect(claim.causedHere()).toBe(false);
});

test('a lost connection keeps the time of its loss through further attempts', () => {
  const service = new ServiceConnection();
  service.opened(10);
  service.lost(2000, 1_000_000, 300);
  service.lost(9000, 1_007_000, 7300);
  expect(service.connection.value).toEqual({ state: 'lost', since: 2000, lastFrame: 999_700 });
});
