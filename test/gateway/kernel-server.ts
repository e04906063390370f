import { createLogger, type RootLogger } from '../../src/core/logger.ts';
import { Access, type AccessOptions } from '../../src/gateway/access/access.ts';
import { Kernel, type KernelOptions } from '../../src/gateway/kernel/kernel.ts';
import type { EventPayloads } from '../../src/protocol/events.ts';
import { testTransport } from '../support/transport.ts';

export interface KernelServer<C> {
  readonly port: number;
  readonly address: string;
  readonly kernel: Kernel<C>;
  /** lines of level info and above */
  readonly log: readonly EventPayloads['log'][];
  close(): void;
}

type Given<C> = Partial<KernelOptions<C>> & Pick<KernelOptions<C>, 'routes' | 'handlers' | 'context'>;

/** Serves a kernel on a free port. */
export async function serveKernel<C>(given: Given<C>, access: Partial<AccessOptions> = {}): Promise<KernelServer<C>> {
  const transport = await testTransport();
  const logger = silentLogger();
  const log: EventPayloads['log'][] = [];
  logger.subscribe((line) => log.push(line));
  const kernel = new Kernel<C>({
    access: new Access({ token: null, allowedHosts: [], ...access }),
    limits: { jsonBytes: 1024, uploadBytes: 1 << 20 },
    logger,
    ...given,
  });
  kernel.mount(transport);
  const { port } = await transport.listen('127.0.0.1', 0);
  return { port, address: `http://127.0.0.1:${port}`, kernel, log, close: () => transport.close() };
}

export function silentLogger(): RootLogger {
  return createLogger({ level: 'silent', pretty: false, colour: false });
}
