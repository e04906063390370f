/** Returns the path of nginx, after installing it where that is allowed, or null. */
export function ensureNginx(): string | null;
