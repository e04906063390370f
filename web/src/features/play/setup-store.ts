import { call } from '../../net/api.ts';
import { runSlow, tasks } from '../../net/busy.ts';
import { failed, toast } from '../../ui/toasts.ts';
import { runs } from '../runs/runs-store.ts';
import { focusEnv } from './control-store.ts';
import { SessionSetup } from './session-setup.ts';
import { sessions } from './session-store.ts';

function taskError(name: string): string | null {
  const task = tasks.peek().find((one) => one.task === name);
  return task?.state === 'failed' ? (task.error ?? task.message) : null;
}

/** The choices for a session on this page. */
export const {
  libraries,
  clips,
  building,
  buildError,
  chosen,
  noClips,
  choose,
  start,
  configure,
  loadLibraries,
  loadClips,
  openRunLink,
} = new SessionSetup({ call, runSlow, taskError, sessions, runs, focusEnv, toast, failed });
