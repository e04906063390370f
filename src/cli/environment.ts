import os from 'node:os';
import path from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables of the service itself. Some are secret, such as the token and the path of the token file. */
const OWN = /^MOTION_STUDIO_/i;

/** Returns the environment for programs that the service starts. Leaves out the service's own variables: trainers print
 *  their environment, schedulers show it, and clients read logs. */
export function environmentOfPrograms(environment: Environment): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && !OWN.test(name)) passed[name] = value;
  return passed;
}

/** Returns the folder for this user's program state, absolute, outside of workspaces (XDG Base Directory). */
export function stateFolder(environment: Environment): string {
  const base = environment['XDG_STATE_HOME'];
  const home = base !== undefined && path.isAbsolute(base) ? base : path.join(os.homedir(), '.local', 'state');
  return path.join(home, 'motion-studio');
}
