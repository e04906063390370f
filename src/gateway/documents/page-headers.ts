import type { Headers } from '../kernel/exchange.ts';

/** Pages of the service may load from and connect to this service only. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  // `'self'` includes the websocket of this origin: in Chrome since 71, in Safari since 16.
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of all pages and scripts. */
export const PAGE_HEADERS: Headers = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
};
