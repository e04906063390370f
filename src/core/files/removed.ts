import { StudioError } from '../errors.ts';

/** Returns true if an error says that a file or one of its folders is missing: it was removed after it was listed. */
export function isRemoved(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return !(error instanceof StudioError) && (code === 'ENOENT' || code === 'ENOTDIR');
}

/** Waits for an operation on files that another process may remove in the meantime. @param what subject of the message,
 *  such as `dataset: "walks"` @throws bad_input if the files were removed; other errors unchanged */
export async function unlessRemoved<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isRemoved(error)) throw error;
    throw new StudioError('bad_input', `${what} was removed in the meantime`, { cause: error });
  }
}
