import { expect, test } from 'vitest';
import { clientsIn } from '../../../web/src/net/heartbeat.ts';

test('the number of viewers is read from its own metric line', () => {
  const metrics = [
    '# HELP motion_studio_ws_clients Websocket clients',
    '# TYPE motion_studio_ws_clients gauge',
    'motion_studio_ws_clients_closed_total 9',
    'motion_studio_ws_clients 3',
  ].join('\n');
  expect(clientsIn(metrics)).toBe(3);
  expect(clientsIn('motion_studio_ws_frames_sent_total 5')).toBeNull();
});
