import { expect, test } from 'vitest';
import { EventHub } from '../../src/app/event-hub.ts';
import type { StudioEvent } from '../../src/protocol/events.ts';

test('every listener hears every event at once, as it goes over the wire', () => {
  const hub = new EventHub();
  const first: StudioEvent[] = [];
  const second: StudioEvent[] = [];
  hub.subscribe((event) => first.push(event));
  hub.subscribe((event) => second.push(event));
  hub.publish('owner', { owner: 'data' });
  expect(first).toEqual([{ type: 'event', topic: 'owner', payload: { owner: 'data' } }]);
  expect(second).toEqual(first);
});

test('a listener that ended hears nothing, the others go on, also when it ends while an event is told', () => {
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
