/** HTTP clients in Node, used if wrk is not installed: `node-http-clients.ts URL CONNECTIONS SECONDS`. Each connection
 *  sends its next request as soon as it has received an answer. */
import { connect } from 'node:net';
import type { LoadFigures } from './http-load.ts';
import { quantile } from './statistics.ts';

const [address, connections, seconds] = process.argv.slice(2) as [string, string, string];
const url = new URL(address);
const request = `GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`;
const timesMs: number[] = [];
let errors = 0;

/** Returns the length of the first answer in `bytes`; 0 if it is incomplete. */
function answerLength(bytes: Buffer): number {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return 0;
  const head = bytes.toString('latin1', 0, end);
  if (!head.startsWith('HTTP/1.1 200')) errors += 1;
  const length = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1]);
  return bytes.length >= length ? length : 0;
}

for (let k = 0; k < Number(connections); k++) {
  const socket = connect(Number(url.port), url.hostname);
  let asked = 0;
  let bytes: Buffer = Buffer.alloc(0);
  const ask = () => {
    asked = performance.now();
    socket.write(request);
  };
  socket.on('connect', ask);
  socket.on('data', (part: Buffer) => {
    bytes = bytes.length === 0 ? part : Buffer.concat([bytes, part]);
    const length = answerLength(bytes);
    if (length === 0) return;
    bytes = bytes.subarray(length);
    timesMs.push(performance.now() - asked);
    ask();
  });
}
setTimeout(() => {
  const figures: LoadFigures = {
    requests: timesMs.length,
    per_s: timesMs.length / Number(seconds),
    p50_ms: quantile(timesMs, 0.5),
    p99_ms: quantile(timesMs, 0.99),
    errors,
  };
  console.log(JSON.stringify(figures));
  process.exit(0);
}, Number(seconds) * 1e3);
