/** A point in time of the wall clock, in the form that MCAP and protobuf use. */
export interface Instant {
  /** s since 1970 */
  readonly seconds: number;
  /** 0 … 999,999,999 */
  readonly nanos: number;
}

/** @param ms since 1970, with fractions */
export function instantOf(ms: number): Instant {
  const seconds = Math.floor(ms / 1e3);
  return { seconds, nanos: Math.min(999_999_999, Math.round((ms - 1e3 * seconds) * 1e6)) };
}

/** Returns nanoseconds since 1970. */
export function nanosOf({ seconds, nanos }: Instant): bigint {
  return BigInt(seconds) * 1_000_000_000n + BigInt(nanos);
}
