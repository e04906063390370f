import { detailIn } from '../../../src/protocol/http-client.ts';
import { ownHeaders } from './client-identity.ts';

/** Uploads a file with XMLHttpRequest, because `fetch` does not report the progress of a request body.
 *  @param sent called with the number of bytes sent so far
 *  @returns the text of the reply
 *  @throws Error with the service's message, or AbortError */
export function putFile(url: string, file: File, sent: (bytes: number) => void, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.upload.onprogress = (event) => sent(event.loaded);
    request.onload = () => {
      if (request.status < 300) resolve(request.responseText);
      else reject(new Error(detailIn(request.responseText, `${request.status} ${request.statusText}`.trim())));
    };
    request.onerror = () => reject(new Error('The connection was lost.'));
    request.onabort = () => reject(new DOMException('cancelled', 'AbortError'));
    request.onloadend = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort);
    request.open('PUT', url);
    request.setRequestHeader('content-type', 'application/octet-stream');
    for (const [name, value] of Object.entries(ownHeaders)) request.setRequestHeader(name, value);
    request.send(file);
  });
}
