import type { Access } from '../access/access.ts';
import type { TransportRequest, TransportResponse } from '../transport/transport.ts';
import type { RangeRequest } from './byte-range.ts';
import { chooseEncoding, type Encoding } from './encoding.ts';

/** Request headers that only downloads use; '' if missing. */
interface Conditions extends RangeRequest {
  readonly ifModifiedSince: string;
}

const NO_CONDITIONS: Conditions = { range: '', ifRange: '', ifModifiedSince: '' };

/** The client's conditions for the reply: known ETag, range, encodings. Headers are read on first use, because most
 *  replies do not need them. */
export class Negotiation implements Conditions {
  readonly #access: Access;
  readonly #response: TransportResponse;
  #request: TransportRequest | null;
  #ifNoneMatch: string | null = null;
  #conditions: Conditions | null = null;
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

  get range(): string {
    return this.#readConditions().range;
  }

  get ifRange(): string {
    return this.#readConditions().ifRange;
  }

  get ifModifiedSince(): string {
    return this.#readConditions().ifModifiedSince;
  }

  /** Compression for the reply. Null if the client accepts no encoding, or runs on this machine, where compressing
   *  takes longer than it saves. */
  get encoding(): Encoding | null {
    if (this.#encoding === undefined) {
      const encoding = this.#request === null ? null : chooseEncoding(this.#request.header('accept-encoding'));
      const local =
        encoding !== null && this.#request !== null && this.#access.isThisMachine(this.#response, this.#request);
      this.#encoding = local ? null : encoding;
    }
    return this.#encoding;
  }

  /** Reads all headers now: the request is invalid after the handler's first `await`.
   *  @param isDownload whether the reply uses the headers of downloads */
  keep(isDownload: boolean): void {
    void this.ifNoneMatch;
    void this.encoding;
    if (isDownload) this.#readConditions();
    this.#request = null;
  }

  #readConditions(): Conditions {
    const request = this.#request;
    this.#conditions ??=
      request === null
        ? NO_CONDITIONS
        : {
            range: request.header('range'),
            ifRange: request.header('if-range'),
            ifModifiedSince: request.header('if-modified-since'),
          };
    return this.#conditions;
  }
}
