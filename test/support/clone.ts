import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { withoutSettings } from './service-process.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/** Copies the working tree of the repository, except ignored files. */
export function cloneTo(folder: string): void {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 }).split('\0');
  for (const file of files) {
    const source = path.join(ROOT, file);
    if (file !== '' && existsSync(source)) cpSync(source, path.join(folder, file));
  }
}

/** The environment of a new terminal: without the variables of this test run and of npm, but with npm's settings.
 *  @param first folder to prepend to PATH @param settings of npm, such as `prefer_offline` */
export function terminalEnv(first: string | null = null, settings: Readonly<Record<string, string>> = {}) {
  const env = Object.fromEntries(
    Object.entries(withoutSettings(process.env)).filter(
      ([name]) =>
        !/^(npm_(?!config_)|npm_config_(local_)?prefix$|VITEST|NODE_(ENV|OPTIONS|PATH|V8_COVERAGE)$|INIT_CWD$|TEST$|DEV$|PROD$|MODE$)/.test(
          name,
        ),
    ),
  );
  const found = (process.env['PATH'] ?? '').split(path.delimiter).filter((entry) => !entry.includes('node_modules'));
  env['PATH'] = (first === null ? found : [first, ...found]).join(path.delimiter);
  for (const [name, value] of Object.entries(settings)) env[`npm_config_${name}`] = value;
  return env;
}
