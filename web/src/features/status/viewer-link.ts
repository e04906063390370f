/** Returns the address of this page for a person who may only watch. Opening it stores the view token as a cookie. */
export function viewerLink({ origin, pathname, hash }: Pick<Location, 'origin' | 'pathname' | 'hash'>, token: string) {
  return `${origin}${pathname}?token=${encodeURIComponent(token)}${hash}`;
}
