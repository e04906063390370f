import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import type { Wiring } from '../../protocol/schemas/robots.ts';
import type { PreparedRobot } from '../../robots/prepared-robot.ts';
import type { SimClient } from '../../workers/sim/sim-client.ts';
import type { OwnerStack } from '../scene-owner.ts';
import { readViewerModel, robotForStage, type ViewerModel } from './staged-robot.ts';

interface Shown {
  readonly prepared: PreparedRobot;
  readonly wiring: Wiring;
  readonly viewer: ViewerModel;
}

export interface DraftSceneDeps {
  readonly sim: SimClient;
  readonly owner: OwnerStack;
  nextVersion(): number;
}

/** Shows the robot that is being imported, in its default pose and with wiring markers. */
export class DraftScene {
  readonly #deps: DraftSceneDeps;
  #shown: Shown | null = null;

  constructor(deps: DraftSceneDeps) {
    this.#deps = deps;
  }

  /** Returns the model that viewers draw while the draft is shown; otherwise null. */
  get viewer(): ViewerModel | null {
    return this.#deps.owner.current === 'import' ? (this.#shown?.viewer ?? null) : null;
  }

  /** Shows the draft. If that fails, the scene is unchanged. @throws bad_input for wiring with unknown bodies */
  async show(prepared: PreparedRobot, wiring: Wiring): Promise<void> {
    checkWiring(prepared, wiring);
    const former = this.#shown;
    // Markers are not part of the model, so viewers keep their model if only the markers change.
    const viewer =
      former?.prepared.key === prepared.key
        ? former.viewer
        : await readViewerModel(prepared.facts.id, prepared, this.#deps.nextVersion());
    const shown: Shown = { prepared, wiring, viewer };
    await this.#stage(shown);
    this.#shown = shown;
    this.#deps.owner.take('import');
  }

  /** Removes the draft from the scene. The scene then belongs to its previous owner again. */
  async leave(): Promise<void> {
    if (!this.#shown) return;
    const { sim, owner } = this.#deps;
    this.#shown = null;
    owner.release('import');
    await sim.call({ type: 'close-draft', next: owner.current });
  }

  /** Shows the draft in a new simulation thread, after the previous thread has ended. */
  async rebuild(): Promise<void> {
    const { sim, owner } = this.#deps;
    if (!this.#shown) return;
    await this.#stage(this.#shown);
    if (owner.current !== 'import') await sim.call({ type: 'show', owner: owner.current });
  }

  async #stage({ prepared, wiring, viewer }: Shown): Promise<void> {
    const values = prepared.facts.joints.map((joint) => joint.default);
    const robot = robotForStage(prepared, { values, wiring, showWiring: true, version: viewer.version });
    await this.#deps.sim.call({ type: 'draft', robot });
  }
}

function checkWiring({ facts }: PreparedRobot, { anchor, keybodies, feet }: Wiring): void {
  const bodies = new Set(facts.bodies.map((body) => body.name));
  const named: [field: string, body: string][] = [
    ['wiring.anchor', anchor],
    ...keybodies.map((body, k): [string, string] => [`wiring.keybodies[${k}]`, body]),
    ...feet.map((body, k): [string, string] => [`wiring.feet[${k}]`, body]),
  ];
  for (const [field, body] of named)
    if (!bodies.has(body)) throw badInput(`${field}: the model has no body ${quoteName(body)}`);
}
