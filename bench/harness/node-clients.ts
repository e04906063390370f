/** Websocket clients in Node, used if no C compiler is installed. Same arguments and output as `native/ws-clients.c`,
 *  but without clients that read at a given rate or never. */
import { WebSocket } from 'ws';
import { type ClassFigures, TRAILER_BYTES } from './clients.ts';
import { processCpuS } from './process-cpu.ts';
import { quantile } from './statistics.ts';

const [port, path, serverPid, warmS, measureS, ...classes] = process.argv.slice(2);
const measureMs = Number(measureS) * 1e3;
let measuring = false;

/** Opens a class of clients. @returns a function that returns their measurements */
async function openClass(text: string): Promise<() => ClassFigures> {
  const [name, count, bytesPerS, ack] = text.split(',') as [string, string, string, string];
  if (Number(bytesPerS) !== 0) throw new Error(`class ${name}: clients that read slowly need gcc`);
  const agesMs: number[] = [];
  let bytes = 0;
  let missed = 0;
  let closed = 0;
  const receive = (client: WebSocket, frame: Buffer, lastSeq: number): number => {
    const stamp = frame.readBigUInt64LE(frame.length - TRAILER_BYTES);
    const seq = Number(frame.readBigUInt64LE(frame.length - 8));
    if (measuring) {
      agesMs.push(Number(process.hrtime.bigint() - stamp) / 1e6);
      bytes += frame.length;
      if (lastSeq > 0) missed += Math.max(0, seq - lastSeq - 1);
    }
    if (ack === '1') client.send(`{"type":"ack","seq":${seq}}`);
    return seq;
  };
  for (let k = 0; k < Number(count); k++) {
    const client = new WebSocket(`ws://127.0.0.1:${port}${path}`, { perMessageDeflate: false });
    let lastSeq = 0;
    client.on('message', (data: Buffer, isBinary) => {
      if (isBinary) lastSeq = receive(client, data, lastSeq);
    });
    client.on('close', () => {
      closed += 1;
    });
    await new Promise((resolve, reject) => client.once('open', resolve).once('error', reject));
  }
  return () => ({
    name,
    clients: Number(count),
    frames: agesMs.length,
    bytes,
    missed,
    p50_ms: quantile(agesMs, 0.5),
    p90_ms: quantile(agesMs, 0.9),
    p99_ms: quantile(agesMs, 0.99),
    max_ms: quantile(agesMs, 1),
    closed,
    closed_after_s: -1,
  });
}

const figures = await Promise.all(classes.map(openClass));
setTimeout(() => {
  const cpuFrom = processCpuS(Number(serverPid));
  const from = performance.now();
  measuring = true;
  console.log('measuring');
  setTimeout(() => {
    measuring = false;
    const seconds = (performance.now() - from) / 1e3;
    const cpu_s = processCpuS(Number(serverPid)) - cpuFrom;
    console.log(JSON.stringify({ seconds, cpu_s, classes: figures.map((figuresOf) => figuresOf()) }));
    process.exit(0);
  }, measureMs);
}, Number(warmS) * 1e3);
