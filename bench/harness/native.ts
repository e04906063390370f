import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const compiled = new Map<string, string | null>();

/** Compiles `bench/native/<name>.c` with gcc, once per run.
 *  @returns path of the program, null without gcc  @throws Error if gcc reports an error in the source */
export function compileC(name: string): string | null {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const folder = fileURLToPath(new URL('../../.bench-cache/', import.meta.url));
  const source = fileURLToPath(new URL(`../native/${name}.c`, import.meta.url));
  mkdirSync(folder, { recursive: true });
  const gcc = spawnSync('gcc', ['-O2', '-o', `${folder}${name}`, source], { encoding: 'utf8' });
  if (gcc.error === undefined && gcc.status !== 0) throw new Error(`gcc ${name}.c: ${gcc.stderr}`);
  const program = gcc.error ? null : `${folder}${name}`;
  if (!program) console.log(`gcc is not installed: bench/native/${name}.c is left out`);
  compiled.set(name, program);
  return program;
}
