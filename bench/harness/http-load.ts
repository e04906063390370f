/** HTTP load from a process of its own: `http-load.ts PORT PATH CONNECTIONS WARM_S MEASURE_S SERVER_PID`. Each connection
 *  asks again as soon as it has its answer. Prints one line of JSON. */
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { quantile } from './statistics.ts';

const [port, path, connections, warmS, measureS, pid] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const REQUEST = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
const END = Buffer.from('\r\n\r\n');
const latenciesMs: number[] = [];
let measuring = false;
let bytes = 0;

/** CPU time of all threads of the server, s. */
function serverCpuS(): number {
  const tasks = `/proc/${pid}/task`;
  let ns = 0;
  for (const task of readdirSync(tasks)) ns += Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]);
  return ns / 1e9;
}

/** Bytes of a whole answer that begins with `head`; 0 while its header is not complete. */
function lengthOf(head: Buffer): number {
  const end = head.indexOf(END);
  if (end < 0) return 0;
  const header = head.toString('latin1', 0, end);
  if (!header.startsWith('HTTP/1.1 200')) throw new Error(header.split('\r\n')[0]);
  return end + END.length + Number(/content-length: *(\d+)/i.exec(header)?.[1]);
}

function open(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
    let asked = 0;
    let got = 0;
    let wanted = 0;
    let head = Buffer.alloc(0);
    const ask = () => {
      asked = performance.now();
      got = 0;
      wanted = 0;
      head = Buffer.alloc(0);
      socket.write(REQUEST);
    };
    socket.on('data', (chunk) => {
      got += chunk.length;
      if (wanted === 0) {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        wanted = lengthOf(head);
      }
      if (wanted === 0 || got < wanted) return;
      if (measuring) {
        latenciesMs.push(performance.now() - asked);
        bytes += got;
      }
      ask();
    });
    ask();
  });
}

await Promise.all(Array.from({ length: Number(connections) }, open));
setTimeout(() => {
  const cpuFrom = serverCpuS();
  const from = performance.now();
  measuring = true;
  setTimeout(() => {
    measuring = false;
    const seconds = (performance.now() - from) / 1e3;
    const requests = latenciesMs.length;
    console.log(
      JSON.stringify({
        requests_per_s: requests / seconds,
        cpu_us: ((serverCpuS() - cpuFrom) / requests) * 1e6,
        p50_ms: quantile(latenciesMs, 0.5),
        p99_ms: quantile(latenciesMs, 0.99),
        bytes: bytes / requests,
      }),
    );
    process.exit(0);
  }, 1e3 * Number(measureS));
}, 1e3 * Number(warmS));
