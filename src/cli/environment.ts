import os from 'node:os';
import path from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings of the service, of which some are secrets: the token, the file that it is in, and those that may follow. */
const OWN = /^MOTION_STUDIO_/i;

/** What programs that the service starts get of its environment. All of its own variables stay behind: trainers print
 *  their environment, schedulers show it, and clients read logs. */
export function environmentOfPrograms(environment: Environment): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && !OWN.test(name)) passed[name] = value;
  return passed;
}

/** Where this user's programs keep what outlives them, absolute (XDG base directories): outside of any workspace. */
export function stateFolder(environment: Environment): string {
  const base = environment['XDG_STATE_HOME'];
  const home = base !== undefined && path.isAbsolute(base) ? base : path.join(os.homedir(), '.local', 'state');
  return path.join(home, 'motion-studio');
}
