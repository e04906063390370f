import path from 'node:path';
import { EXIT } from '../exit-codes.ts';
import type { CliCommand } from './command.ts';
import { PREFER_WAIT, taskDone } from './waiting.ts';

interface Flags {
  readonly name?: string;
  readonly link?: boolean;
}

/** `import FOLDER`: imports clips on the machine of the service. Always waits for the end, because an import is not
 *  a job. */
export const IMPORT_COMMAND: CliCommand = {
  example: 'motion-studio import ~/motions/walks --link',
  declare: (flags) =>
    flags
      .description('Import a folder of clips on the machine of the service as a dataset of the selected robot.')
      .argument('<source>', 'folder, or a TWIST2 dataset yaml; a relative path starts at the current folder')
      .option('--name <name>', 'name of the dataset (default: that of the folder)')
      .option('--link', 'link the folder instead of copying it; it is never written to'),
  prepare([source = ''], { name, link }: Flags) {
    const body = { source: path.resolve(source), ...(name === undefined ? {} : { name }), link: link === true };
    return async (context) => {
      const { client, output } = context;
      const { result } = await taskDone(
        context,
        await client.call('POST /api/data/import', { body, headers: PREFER_WAIT }),
      );
      output.result(result ?? {}, () => output.line(`Dataset ${String(result?.['dataset'])} imported`));
      return EXIT.done;
    };
  },
};
