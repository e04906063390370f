/** The `ws` package with one `send` per client and frame, without flow control: `ws-package.ts FRAME_BYTES FPS`. */
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { PacedClock } from '../harness/paced-clock.ts';
import { TestFrame } from '../harness/test-frame.ts';

const [bytes, fps] = process.argv.slice(2).map(Number) as [number, number];
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false, backlog: 1024 });
server.on('listening', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })));

const template = new TestFrame(new Uint8Array(bytes));
let seq = 0;
new PacedClock(fps, () => {
  template.stamp(++seq);
  // Copy each frame: `ws` keeps a reference to bytes that the socket does not accept at once.
  const frame = Buffer.from(template.bytes);
  for (const client of server.clients) client.send(frame);
});
