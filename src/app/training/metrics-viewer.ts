export interface ViewerDeps {
  /** Where TensorBoard answers; null where it is not installed. */
  tensorboard(): Promise<string | null>;
  /** @throws bad_input for an unknown run */
  find(run: string): Promise<unknown>;
}

/** What shows metrics best: TensorBoard, where it is installed and the client is on this machine, which alone reaches it;
 *  else the service's own page. */
export class MetricsViewer {
  readonly #deps: ViewerDeps;

  constructor(deps: ViewerDeps) {
    this.#deps = deps;
  }

  async address(run: string | null, fromThisMachine: boolean): Promise<string> {
    if (run !== null) await this.#deps.find(run);
    const board = fromThisMachine ? await this.#deps.tensorboard() : null;
    const own = run === null ? '/#metrics' : `/#metrics?run=${encodeURIComponent(run)}`;
    if (board === null) return own;
    return run === null ? `${board}/` : `${board}/?runFilter=${encodeURIComponent(`^${escaped(run)}$`)}#timeseries`;
  }
}

/** For a regular expression; names hold dots. */
function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
