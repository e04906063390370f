import { failed } from '../../ui/toasts.ts';

const load = () => import('../robot-import/wizard-store.ts');

/** Opens the wizard; its code comes when it is first needed. @param upload the one to go on with; null is what was left last */
export async function openImport(upload: string | null = null): Promise<void> {
  try {
    const wizard = await load();
    await wizard.openImport(upload);
  } catch (error) {
    failed('The import could not be opened', error);
  }
}

/** Opens a saved robot to be changed. */
export async function openRobot(id: string): Promise<void> {
  try {
    const wizard = await load();
    await wizard.editRobot(id);
  } catch (error) {
    failed(`${id} could not be opened`, error);
  }
}
