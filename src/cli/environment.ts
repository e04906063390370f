import os from 'node:os';
import path from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables of the service. Some are secrets, such as the token and the file that holds it. */
const OWN = /^MOTION_STUDIO_/i;

/** The environment of programs that the service starts: without its own variables, because trainers print their
 *  environment, schedulers show it, and clients read logs. */
export function environmentOfPrograms(environment: Environment): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && !OWN.test(name)) passed[name] = value;
  return passed;
}

/** Folder for state of this user's programs, absolute (XDG base directories), outside of any workspace. */
export function stateFolder(environment: Environment): string {
  const base = environment['XDG_STATE_HOME'];
  const home = base !== undefined && path.isAbsolute(base) ? base : path.join(os.homedir(), '.local', 'state');
  return path.join(home, 'motion-studio');
}
