import type { PlaySession } from '../../../../../src/protocol/schemas/play.ts';
import { goTo } from '../../../ui/layout.ts';
import { failed } from '../../../ui/toasts.ts';
import { presets } from '../presets-store.ts';
import { taskDialog } from '../task-dialog-store.ts';
import { flatten } from './edits.ts';

/** Opens the dialog for a new preset: the session's task with the weights that were changed in the session. If the
 *  session's task is unknown, as for a policy from elsewhere, the preset is based on the robot's default task. */
export async function weightsToPreset({ task, rewards }: Pick<PlaySession, 'task' | 'rewards'>): Promise<void> {
  if (presets.state.peek().value === null) await presets.refresh();
  const { value: list, error } = presets.state.peek();
  if (list === null) {
    failed('The presets could not be read', new Error(error ?? 'no answer'));
    return;
  }
  const preset = list.presets.find((one) => one.task === task);
  const plain = list.tasks.filter((one) => one.preset === null);
  const base = preset?.base ?? plain.find(({ name }) => name === task)?.name ?? plain[0]?.name ?? '';
  const weights = rewards
    .filter(({ weight, default: first }) => weight !== first)
    .map(({ name, weight }) => [`rewards.${name}.weight`, weight] as const);
  taskDialog.value = {
    kind: 'new',
    of: 'preset',
    title: 'New preset with these weights',
    from: {
      base,
      modules: preset?.modules ?? [],
      edits: { ...flatten(preset?.overrides ?? {}), ...Object.fromEntries(weights) },
      description: preset?.description ?? '',
    },
  };
  goTo('tasks');
}
