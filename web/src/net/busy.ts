import { failed, toast } from '../ui/toasts.ts';
import { call } from './api.ts';
import { BusyTasks } from './busy-tasks.ts';

/** The busy tasks of the service, as known to this page. */
export const { tasks, activeTasks, endedTasks, takeBusy, refreshBusy, runSlow } = new BusyTasks({
  call,
  failed,
  toast,
});
