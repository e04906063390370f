import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** lower-case names; the values of a repeated name are joined by ", " */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends exactly `request` and reads one response. @param method method of the request; a response to HEAD has no body
 *  @throws if the connection ends before the response is complete */
export async function sendRaw(port: number, request: string | Uint8Array, method = 'GET'): Promise<RawAnswer> {
  const socket = await open(port);
  try {
    socket.write(request);
    return await readAnswer(socket, method);
  } finally {
    socket.destroy();
  }
}

export async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {}); // the `close` event reports the failure as well
  await once(socket, 'connect');
  return socket;
}

export function readAnswer(socket: Socket, method = 'GET'): Promise<RawAnswer> {
  let received = Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    const stop = () => socket.off('data', onData).off('close', onClose);
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const answer = parse(received, method);
      if (!answer) return;
      stop();
      resolve(answer);
    };
    const onClose = () => {
      stop();
      reject(new Error(`the connection ended after ${JSON.stringify(received.toString('latin1'))}`));
    };
    socket.on('data', onData).on('close', onClose);
  });
}

/** Reads the status of one response. The rest may be lost: a server that closes a connection with an unread request on
 *  it resets the connection. */
export function readStatus(socket: Socket): Promise<number> {
  let received = '';
  return new Promise((resolve, reject) => {
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const status = /^HTTP\/1\.1 (\d{3}) /.exec(received)?.[1];
      if (status !== undefined) resolve(Number(status));
    });
    socket.on('close', () => reject(new Error(`the connection ended after ${JSON.stringify(received)}`)));
  });
}

function parse(bytes: Buffer, method: string): RawAnswer | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    const value = line.slice(line.indexOf(':') + 1).trim();
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  const status = Number(first.split(' ')[1]);
  const length = method === 'HEAD' || status === 204 || status === 304 ? 0 : Number(headers['content-length'] ?? 0);
  const body = bytes.subarray(end + 4);
  return body.length < length ? null : { status, headers, body: body.subarray(0, length).toString() };
}

/** Formats a request. @param headers in addition to Host and, with a body, Content-Length */
export function requestText(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): string {
  const all = {
    Host: '127.0.0.1',
    ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}
