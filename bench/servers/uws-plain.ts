/** uWebSockets.js without flow control except its backpressure limit: `uws-plain.ts send|publish FRAME_BYTES FPS`. */
import uWS, { type WebSocket } from 'uWebSockets.js';
import { PacedClock } from '../harness/paced-clock.ts';
import { TestFrame } from '../harness/test-frame.ts';

const way = process.argv[2];
const [bytes, fps] = process.argv.slice(3).map(Number) as [number, number];
const clients = new Set<WebSocket<unknown>>();
const app = uWS.App();
app.ws('/*', {
  compression: uWS.DISABLED,
  maxBackpressure: 256 * 1024,
  idleTimeout: 16,
  open: (socket) => {
    clients.add(socket);
    socket.subscribe('frames');
  },
  close: (socket) => {
    clients.delete(socket);
  },
});
app.listen('127.0.0.1', 0, (token) => {
  if (!token) throw new Error('no port to listen on');
  console.log(JSON.stringify({ port: uWS.us_socket_local_port(token) }));
});

const frame = new TestFrame(new Uint8Array(bytes));
let seq = 0;
new PacedClock(fps, () => {
  frame.stamp(++seq);
  if (way === 'publish') app.publish('frames', frame.bytes, true);
  else for (const client of clients) client.send(frame.bytes, true);
});
