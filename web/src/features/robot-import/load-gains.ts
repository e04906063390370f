import { effect, type Signal, signal } from '@preact/signals';
import type { BodyOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';
import type { call } from '../../net/api.ts';
import type { putFile } from '../../net/put-file.ts';
import { messageOf } from '../../ui/message-of.ts';
import type { RobotDraft } from './robot-draft.ts';

type GainsRoute = RouteByKey['POST /api/robots/import/gains'];

export interface GainsDeps {
  readonly call: typeof call;
  readonly putFile: typeof putFile;
  readonly draft: Pick<RobotDraft, 'spec' | 'takeGains'>;
  /** id of the upload or robot that the wizard works on */
  readonly uploadId: Signal<string | null>;
  /** ids that are already in use */
  readonly takenIds: { peek(): ReadonlySet<string> };
}

/** Result of loading gains. */
export interface GainsReport {
  /** name of the file or robot */
  readonly source: string;
  /** number of joints whose gains were replaced */
  readonly taken: number;
  /** joints of the robot whose gains did not change */
  readonly kept: readonly string[];
  /** names of the file that match no joint of the robot */
  readonly unknown: readonly string[];
  readonly notes: readonly string[];
}

/** Maximum length of an upload's id without the suffix. */
const MAX_ID = 48;

/** Loads joint gains into the draft. */
export class GainsLoader {
  readonly #deps: GainsDeps;
  /** id of the robot that the report belongs to */
  #reported: string | null = null;
  /** The file or robot that is being read; null while nothing is read. */
  readonly loading = signal<string | null>(null);
  readonly report = signal<GainsReport | null>(null);
  /** Error of the last load, in the service's words. */
  readonly problem = signal<string | null>(null);

  constructor(deps: GainsDeps) {
    this.#deps = deps;
    // Remove the report when the wizard opens another robot.
    effect(() => {
      if (deps.uploadId.value !== this.#reported) this.dismiss();
    });
  }

  readonly fromFile = (file: string): Promise<void> => this.#load(file, { file });

  readonly fromRobot = (robot: string): Promise<void> => this.#load(robot, { robot });

  /** Loads a file of this computer. Sends it as a separate upload and removes this upload afterwards: an upload with
   *  the id of a saved robot would replace that robot's files. */
  readonly fromNewFile = async (file: File): Promise<void> => {
    const id = this.#deps.uploadId.peek();
    if (id === null) return;
    const from = freeId(`${id.slice(0, MAX_ID)}-gains`, this.#deps.takenIds.peek());
    const where = `api/robots/import/upload/${encodeURIComponent(from)}/${encodeURIComponent(file.name)}`;
    await this.#load(file.name, { file: file.name, from }, async (run) => {
      await this.#deps.putFile(where, file, () => {}, new AbortController().signal);
      try {
        await run();
      } finally {
        await this.#deps.call('DELETE /api/robots/import/{id}', { params: { id: from } });
      }
    });
  };

  /** Removes the report of the last load. */
  readonly dismiss = (): void => {
    this.report.value = null;
    this.problem.value = null;
  };

  async #load(
    source: string,
    body: Omit<BodyOf<GainsRoute>, 'id'>,
    around: (run: () => Promise<void>) => Promise<void> = (run) => run(),
  ): Promise<void> {
    const id = this.#deps.uploadId.peek();
    if (id === null || this.loading.peek() !== null) return;
    this.loading.value = source;
    this.#reported = id;
    this.dismiss();
    try {
      await around(async () => {
        const found = await this.#deps.call('POST /api/robots/import/gains', { body: { id, ...body } });
        const own = this.#deps.draft.spec.peek()?.joints ?? {};
        this.#deps.draft.takeGains(found.gains);
        this.report.value = {
          source,
          taken: Object.keys(found.gains).length,
          kept: found.joints_unmatched.filter((name) => Object.hasOwn(own, name)),
          unknown: found.joints_unmatched.filter((name) => !Object.hasOwn(own, name)),
          notes: found.notes,
        };
      });
    } catch (error) {
      this.problem.value = messageOf(error);
    } finally {
      this.loading.value = null;
    }
  }
}

function freeId(wanted: string, taken: ReadonlySet<string>): string {
  let id = wanted;
  for (let k = 2; taken.has(id); k++) id = `${wanted}-${k}`;
  return id;
}
