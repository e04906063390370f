/** Exit codes of the command line. */
export const EXIT = {
  done: 0,
  failed: 1,
  /** the arguments are not valid */
  usage: 2,
  /** an evaluation missed its gate or is worse than its baseline */
  gate: 3,
  /** no service answers at the address */
  noService: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
