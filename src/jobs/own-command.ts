import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** Returns the command of a job of this service: the program of detached jobs. @param orderFile absolute */
export function ownCommand(kind: 'train' | 'evaluate', orderFile: string): string[] {
  const fromSource = import.meta.url.endsWith('.ts');
  const entry = fileURLToPath(new URL(`../cli/job-process.${fromSource ? 'ts' : 'js'}`, import.meta.url));
  const loader = fromSource ? ['--import', import.meta.resolve('tsx')] : [];
  return [process.execPath, ...loader, entry, kind, orderFile];
}
