/** Commands that work on this machine without a service, with one line each for the help. */
export const LOCAL_SUMMARIES = {
  doctor: 'check this machine and the workspace',
  bench: 'measure in a minute what this machine does',
} as const;

export type LocalName = keyof typeof LOCAL_SUMMARIES;

export function isLocalCommand(name: string): name is LocalName {
  return Object.hasOwn(LOCAL_SUMMARIES, name);
}
