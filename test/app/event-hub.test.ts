import { expect, test } from 'vitest';
import { EventHub } from '../../src/app/event-hub.ts';
import { actAs } from '../../src/core/actor.ts';
import type { StudioEvent } from '../../src/protocol/events.ts';

test('every listener gets every event at once, encoded for the websocket', () => {
  const hub = new EventHub();
  const first: StudioEvent[] = [];
  const second: StudioEvent[] = [];
  hub.subscribe((event) => first.push(event));
  hub.subscribe((event) => second.push(event));
  hub.publish('owner', { owner: 'data' });
  expect(first).toEqual([{ type: 'event', topic: 'owner', payload: { owner: 'data', by: null } }]);
  expect(second).toEqual(first);
});

test('a listener that unsubscribes gets nothing more, even during an event; the others go on', () => {
  const hub = new EventHub();
  const heard: string[] = [];
  const end = hub.subscribe(() => {
    heard.push('once');
    end();
  });
  hub.subscribe(() => heard.push('always'));
  hub.publish('focus', { index: 0 });
  hub.publish('focus', { index: 1 });
  expect(heard).toEqual(['once', 'always', 'always']);
});

test('an event names the client on whose behalf it is published, also after a wait', async () => {
  const hub = new EventHub();
  const heard: unknown[] = [];
  hub.subscribe(({ payload }) => heard.push(payload));
  await actAs('ann', async () => {
    hub.publish('owner', { owner: 'data' });
    await Promise.resolve();
    hub.publish('owner', { owner: 'play' });
    hub.publish('focus', { index: 1 });
  });
  hub.publish('owner', { owner: 'robots' });
  expect(heard).toEqual([
    { owner: 'data', by: 'ann' },
    { owner: 'play', by: 'ann' },
    { index: 1 },
    { owner: 'robots', by: null },
  ]);
});
