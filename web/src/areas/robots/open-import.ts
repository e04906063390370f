import { failed } from '../../state/toasts.ts';

/** Opens the wizard; its code comes when it is first needed. @param upload the one to go on with; null is what was left last */
export async function openImport(upload: string | null = null): Promise<void> {
  try {
    const wizard = await import('../../service/import/wizard.ts');
    await wizard.openImport(upload);
  } catch (error) {
    failed('The import could not be opened', error);
  }
}
