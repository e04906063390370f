import type { Access } from '../access/access.ts';
import type { TransportRequest, TransportResponse } from '../transport/transport.ts';
import { chooseEncoding, type Encoding } from './encoding.ts';

/** How the client wants a reply. Read from the request only when a reply asks for it: most do not. */
export class Asked {
  readonly #access: Access;
  readonly #response: TransportResponse;
  #request: TransportRequest | null;
  #ifNoneMatch: string | null = null;
  #encoding: Encoding | null | undefined;

  constructor(access: Access, response: TransportResponse, request: TransportRequest) {
    this.#access = access;
    this.#response = response;
    this.#request = request;
  }

  get ifNoneMatch(): string {
    this.#ifNoneMatch ??= this.#request?.header('if-none-match') ?? '';
    return this.#ifNoneMatch;
  }

  /** Null where the client takes none, or is this machine: compressing costs it more than it saves. */
  get encoding(): Encoding | null {
    if (this.#encoding === undefined) {
      const encoding = this.#request === null ? null : chooseEncoding(this.#request.header('accept-encoding'));
      const local =
        encoding !== null && this.#request !== null && this.#access.isThisMachine(this.#response, this.#request);
      this.#encoding = local ? null : encoding;
    }
    return this.#encoding;
  }

  /** Reads everything now: the request is dead after the handler's synchronous part. */
  keep(): void {
    void this.ifNoneMatch;
    void this.encoding;
    this.#request = null;
  }
}
