import { afterAll, afterEach } from 'vitest';
import { TestStudio } from './test-studio.ts';

interface UseOptions {
  /** Creates a new workspace for each test instead of one for the whole file or `describe`. */
  readonly each?: boolean;
}

/** A studio for the tests of this file or `describe`. Services started with `studio.start()` end after the tests; a
 *  failed test prints their logs. Call `useStudio` before other hooks: these then run while the service still runs. */
export function useStudio({ each = false }: UseOptions = {}): TestStudio {
  const studio = new TestStudio();
  if (each) afterEach(() => studio.close());
  else afterAll(() => studio.close());
  // Hooks run in reverse order: this one runs before `close`.
  afterEach(({ task }) => {
    if (task.result?.state === 'fail' && studio.log !== '')
      console.error(`the services of "${task.name}":\n${studio.log}`);
  });
  return studio;
}
