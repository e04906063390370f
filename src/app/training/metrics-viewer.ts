import { StudioError } from '../../core/errors.ts';

export interface ViewerDeps {
  /** Returns the address of TensorBoard; null if it is not installed. */
  tensorboard(): Promise<string | null>;
  isTensorboardRunning(): boolean;
  /** @throws bad_input for an unknown run */
  find(run: string): Promise<unknown>;
}

/** The client that requests the metrics. */
interface Asker {
  readonly fromThisMachine: boolean;
  /** whether the client may only read, so that it must not start a process */
  readonly viewer: boolean;
}

/** Finds the viewer of metrics: TensorBoard if it is installed and the client runs on this machine, since other
 *  machines cannot reach it; else the service's own page. */
export class MetricsViewer {
  readonly #deps: ViewerDeps;

  constructor(deps: ViewerDeps) {
    this.#deps = deps;
  }

  /** Returns the address of the metrics of one run, or of all runs for null. @throws bad_input for an unknown run
   *  @throws forbidden for a client that may only read, unless TensorBoard is already running */
  async address(run: string | null, { fromThisMachine, viewer }: Asker): Promise<string> {
    if (viewer && !this.#deps.isTensorboardRunning())
      throw new StudioError(
        'forbidden',
        'the view token does not allow starting TensorBoard. Open the curves at /#/runs instead.',
      );
    if (run !== null) await this.#deps.find(run);
    const board = fromThisMachine ? await this.#deps.tensorboard() : null;
    const own = run === null ? '/#/runs' : `/#/runs?run=${encodeURIComponent(run)}`;
    if (board === null) return own;
    return run === null ? `${board}/` : `${board}/?runFilter=${encodeURIComponent(`^${escaped(run)}$`)}#timeseries`;
  }
}

/** Escapes a name for use in a regular expression; names may contain dots. */
function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
