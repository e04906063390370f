import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** Returns the command that runs a detached job with the program of this service. @param orderFile absolute path of the
 *  order file */
export function ownCommand(kind: 'train' | 'evaluate', orderFile: string): string[] {
  const fromSource = import.meta.url.endsWith('.ts');
  const entry = fileURLToPath(new URL(`../cli/job-process.${fromSource ? 'ts' : 'js'}`, import.meta.url));
  const loader = fromSource ? ['--import', import.meta.resolve('tsx')] : [];
  return [process.execPath, ...loader, entry, kind, orderFile];
}
