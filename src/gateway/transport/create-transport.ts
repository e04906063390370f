import { StudioError } from '../../core/errors.ts';
import { NodeTransport } from './node-transport.ts';
import type { Transport, TransportChoice, TransportOptions } from './transport.ts';
import { loadUws, UwsTransport } from './uws-transport.ts';

/** Creates the chosen transport.
 *  @param onChosen gets one sentence: which transport runs, and why
 *  @throws unavailable if `uws` was requested by name and its binary does not load */
export async function createTransport(
  choice: TransportChoice,
  options: TransportOptions,
  onChosen: (sentence: string) => void = () => {},
): Promise<Transport> {
  if (choice === 'node') {
    onChosen('transport node (node:http and ws): chosen by --transport');
    return new NodeTransport(options);
  }
  const uws = await loadUws();
  if (typeof uws !== 'string') {
    onChosen(
      `transport uws (uWebSockets.js): ${choice === 'auto' ? 'its binary loads here' : 'chosen by --transport'}`,
    );
    return new UwsTransport(uws, options);
  }
  if (choice === 'uws') {
    throw new StudioError('unavailable', `uWebSockets.js does not load here: ${uws}. Start with --transport node.`);
  }
  onChosen(`transport node (node:http and ws): uWebSockets.js does not load here: ${uws}`);
  return new NodeTransport(options);
}
