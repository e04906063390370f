import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';

/** An nginx with one site, in a new folder. */
export interface Nginx {
  readonly folder: string;
  errors(): string;
  stop(): Promise<void>;
}

/** Runs nginx with a site file until `stop`. @param program path of nginx @param listening a port of the site
 *  @throws the error that nginx reports for the file */
export async function startNginx(program: string, site: string, listening: number): Promise<Nginx> {
  const folder = mkdtempSync(path.join(tmpdir(), 'motion-studio-nginx-'));
  mkdirSync(path.join(folder, 'temp'));
  writeFileSync(path.join(folder, 'site.conf'), site);
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path temp/${kind};`);
  const main = `pid nginx.pid;
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
error_log errors.log warn;
events {}
http {
  access_log off;
  ${temp.join('\n  ')}
  include site.conf;
}
`;
  writeFileSync(path.join(folder, 'nginx.conf'), main);
  const args = ['-p', folder, '-e', path.join(folder, 'errors.log'), '-c', path.join(folder, 'nginx.conf')];
  execFileSync(program, [...args, '-t', '-q'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const child = spawn(program, args, { stdio: 'ignore' });
  await untilListening(child, listening);
  return {
    folder,
    errors: () => readFileSync(path.join(folder, 'errors.log'), 'utf8'),
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  while (child.exitCode === null) {
    const socket = connect(port, '127.0.0.1');
    const open = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`nginx ended with ${child.exitCode}`);
}

/** Finds free ports. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  const ports = [];
  for (const server of servers) {
    if (!server.listening) await once(server, 'listening');
    ports.push((server.address() as { port: number }).port);
  }
  for (const server of servers) {
    server.close();
    await once(server, 'close');
  }
  return ports;
}

/** Creates a self-signed certificate for `name`, as PEM files in `folder`. */
export function makeCertificate(folder: string, name: string): { certificate: string; key: string } {
  const certificate = path.join(folder, 'certificate.pem');
  const key = path.join(folder, 'key.pem');
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
      ...subject,
      ...files,
    ],
    { stdio: 'ignore' },
  );
  return { certificate, key };
}
