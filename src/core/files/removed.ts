import { StudioError } from '../errors.ts';

/** Whether an error says that a file or one of its folders is not there: somebody removed it since it was seen. */
export function isRemoved(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return !(error instanceof StudioError) && (code === 'ENOENT' || code === 'ENOTDIR');
}

/** Waits for work on files that others may remove meanwhile. @param what names what was removed: `dataset: "walks"`
 *  @throws bad_input where it was; anything else as it is */
export async function unlessRemoved<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isRemoved(error)) throw error;
    throw new StudioError('bad_input', `${what} was removed meanwhile`, { cause: error });
  }
}
