/** uWebSockets.js with plain `publish` to a topic, its backpressure limit the only flow control:
 *  `uws-publish.ts FRAME_BYTES FPS`. */
import uWS from 'uWebSockets.js';
import { PacedClock } from '../harness/paced-clock.ts';
import { TestFrame } from '../harness/test-frame.ts';

const [bytes, fps] = process.argv.slice(2).map(Number) as [number, number];
const app = uWS.App();
app.ws('/*', {
  compression: uWS.DISABLED,
  maxBackpressure: 256 * 1024,
  idleTimeout: 16,
  open: (socket) => {
    socket.subscribe('frames');
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
  app.publish('frames', frame.bytes, true);
});
