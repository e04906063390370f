import { expect, test } from 'vitest';
import { failureText } from '../../src/cli/failure-text.ts';
import { StudioError } from '../../src/core/errors.ts';

test('a full disk is one line without a stack, also if the error of the system is known', () => {
  const cause = new Error('ENOSPC: no space left on device, write');
  const error = new StudioError('disk_full', 'no space left on the disk of the workspace', { cause });
  expect(failureText('evaluate', error)).toBe('evaluate: no space left on the disk of the workspace\n');
});

test('a bug has its message first, then where it happened', () => {
  const [line, ...stack] = failureText('train', new TypeError('x is undefined')).split('\n');
  expect(line).toBe('train: x is undefined');
  expect(stack.join('\n')).toContain('failure-text.test.ts');
});

test('an internal error has the stack of its cause', () => {
  const error = new StudioError('internal', 'the kernels are not built', { cause: new Error('ENOENT: kernels.wasm') });
  expect(failureText('train', error)).toMatch(
    /^train: the kernels are not built\nError: ENOENT: kernels\.wasm\n {4}at /,
  );
});
