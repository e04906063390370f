import type { Headers } from '../kernel/exchange.ts';

/** What a page of ours may load and talk to: this service, nothing else. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self' ws: wss:",
  "worker-src 'self' blob:",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of everything that a browser shows or runs. */
export const PAGE_HEADERS: Headers = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
};
