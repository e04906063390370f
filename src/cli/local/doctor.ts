import process from 'node:process';
import { countText } from '../../core/log/format-numbers.ts';
import { Output } from '../commands/output.ts';
import { EXIT } from '../exit-codes.ts';
import type { StartOptions } from '../options.ts';
import type { FlagSet } from '../parse-flags.ts';
import { checkMachine } from './check-machine.ts';
import { checkPrograms } from './check-programs.ts';
import { checkWorkspace } from './check-workspace.ts';
import type { Finding } from './finding.ts';
import type { LocalCommand } from './local-command.ts';

const SIGNS = { ok: 'ok', note: 'note', warning: 'WARNING', error: 'ERROR' } as const;

/** `doctor`: reports what the service finds on this machine and in its workspace. Changes nothing. */
export const DOCTOR: LocalCommand = {
  example: 'motion-studio doctor --workspace ~/robots',
  failed: 'the service cannot work',
  declare: (flags: FlagSet) =>
    flags.description(
      'Check this machine, the programs that studio.yaml names, and the files of the workspace. Nothing is changed; a service may be running.',
    ),
  run: async (options, { json }) => {
    const findings = await examine(options);
    const works = findings.every(({ state }) => state !== 'error');
    const output = new Output(process, json);
    output.result({ works, findings }, () => print(output, findings, works));
    return works ? EXIT.done : EXIT.failed;
  },
};

async function examine(options: StartOptions): Promise<readonly Finding[]> {
  return [
    ...(await checkMachine(options)),
    ...(await checkPrograms(options)),
    ...(await checkWorkspace(options.workspace)),
  ];
}

function print(output: Output, findings: readonly Finding[], works: boolean): void {
  let area = '';
  for (const finding of findings) {
    if (finding.area !== area) output.line(`${area === '' ? '' : '\n'}${finding.area}`);
    area = finding.area;
    output.line(`  ${SIGNS[finding.state].padEnd(7)}  ${finding.subject}: ${finding.text}`);
    if (finding.remedy !== null) output.line(`           → ${finding.remedy}`);
  }
  const count = findings.filter(({ state }) => state === 'warning').length;
  output.line(
    `\n${works ? 'The service can work' : 'The service cannot work: see ERROR'}${count > 0 ? `; ${countText(count, 'warning')}` : ''}.`,
  );
}
