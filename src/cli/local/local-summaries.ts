/** Commands that work on this machine without a service, with one line each for the help. */
export const LOCAL_SUMMARIES = {
  doctor: 'check this machine and the workspace',
  bench: 'measure the speed of this machine in about a minute',
} as const;

export type LocalName = keyof typeof LOCAL_SUMMARIES;

export function isLocalCommand(name: string): name is LocalName {
  return Object.hasOwn(LOCAL_SUMMARIES, name);
}
