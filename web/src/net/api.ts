import { HttpClient } from '../../../src/protocol/http-client.ts';
import { ownHeaders } from './client-identity.ts';

/** Calls the routes of the service that served this page. Its URLs are relative, because the page may be served below a
 *  path prefix. */
export const { call, callBytes } = new HttpClient({ base: '', headers: ownHeaders });
