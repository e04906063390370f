/** Path of nginx, installed where it may be; null where there is none. */
export function ensureNginx(): string | null;
