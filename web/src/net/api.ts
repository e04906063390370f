import { HttpClient } from '../../../src/protocol/http-client.ts';
import { ownHeaders } from './client-identity.ts';

/** The client of the page's own service. Addresses are relative: the page may live below a prefix. */
export const { call, callBytes } = new HttpClient({ base: '', headers: ownHeaders });
