import { computed, type Signal, signal } from '@preact/signals';
import type { BodyOf, ReplyOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';
import type { JointSpec, RobotSpec, Wiring } from '../../../../src/protocol/schemas/robots.ts';
import type { call } from '../../net/api.ts';
import type { remember, remembered } from '../../ui/stored.ts';
import { withScale } from './gains.ts';

export type Inspection = ReplyOf<RouteByKey['POST /api/robots/import/inspect']>;
export type CheckReport = ReplyOf<RouteByKey['POST /api/robots/import/check']>;
type LoadedGains = ReplyOf<RouteByKey['POST /api/robots/import/gains']>['gains'];
type Spec = BodyOf<RouteByKey['POST /api/robots/import/check']>['spec'];

export interface DraftDeps {
  readonly call: typeof call;
  /** tells the page that it causes the next change of the scene itself */
  /** shows an error */
  readonly failed: (what: string, error: unknown) => void;
  /** reads from and writes to the browser's storage */
  readonly remembered: typeof remembered;
  readonly remember: typeof remember;
  /** wiring (joints, actuators, gains) of the draft in the scene; null if the scene shows none */
  readonly draftWiring: Signal<Wiring | null>;
}

/** Storage key of the edits. */
const EDITS = 'import-edits';
/** The scene shows a changed wiring this long after the last change, ms. */
const SHOW_AFTER_MS = 120;

/** The draft of a new robot: the service's inspection of the model, and the settings with the user's edits. */
export class RobotDraft {
  readonly #deps: DraftDeps;
  /** Inspection of the chosen model. */
  readonly inspection = signal<Inspection | null>(null);
  /** The suggested settings with the user's changes. */
  readonly spec = signal<RobotSpec | null>(null);
  /** Settings of the saved robot that the user edits; null for a new robot. */
  readonly savedSpec = signal<RobotSpec | null>(null);
  /** The last check and the settings that it checked. */
  readonly #checked = signal<{ readonly report: CheckReport; readonly spec: RobotSpec } | null>(null);
  /** The check of the current settings; null if the settings changed after the check. */
  readonly report = computed(() => {
    const checked = this.#checked.value;
    return checked !== null && checked.spec === this.spec.value ? checked.report : null;
  });
  #showTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: DraftDeps) {
    this.#deps = deps;
  }

  /** Inspects a model and starts a draft from it. Restores edits of an earlier visit to the same model.
   *  @param saved settings of the robot, if the user edits a saved robot  @throws the service's error */
  readonly inspectModel = async (id: string, model: string, saved: RobotSpec | null = null): Promise<void> => {
    const found = await this.#deps.call('POST /api/robots/import/inspect', { body: { id, model } });
    this.inspection.value = found;
    this.savedSpec.value = saved;
    this.#checked.value = null;
    const settings = saved?.model === model ? saved : found.spec;
    const spec = this.#storedEdits(id, settings) ?? settings;
    this.spec.value = spec;
    this.#deps.draftWiring.value = spec.wiring;
    await this.showDraft();
  };

  /** Clears the draft on this page. The service keeps its copy. */
  readonly clearDraft = (): void => {
    clearTimeout(this.#showTimer);
    this.inspection.value = null;
    this.savedSpec.value = null;
    this.spec.value = null;
    this.#checked.value = null;
    this.#deps.draftWiring.value = null;
  };

  #keep(next: RobotSpec): void {
    this.spec.value = next;
    this.#deps.remember(EDITS, JSON.stringify({ upload: this.inspection.peek()?.id, spec: next }));
  }

  /** Removes the stored edits. */
  readonly forgetEdits = (): void => {
    this.#deps.remember(EDITS, null);
  };

  /** Returns the edits stored by an earlier visit; null if they belong to another upload or model, or to other
   *  joints. */
  #storedEdits(upload: string, fresh: RobotSpec): RobotSpec | null {
    try {
      const stored = JSON.parse(this.#deps.remembered(EDITS) ?? 'null') as {
        readonly upload?: string;
        readonly spec?: RobotSpec;
      } | null;
      const edited = stored?.spec;
      if (stored?.upload !== upload || edited?.model !== fresh.model) return null;
      const same = Object.keys(edited.joints).join() === Object.keys(fresh.joints).join();
      return same ? edited : null;
    } catch {
      return null; // stored by another version of the page: use the suggestion
    }
  }

  /** Restores the saved settings of an edited robot, or the suggested settings of a new robot. */
  readonly resetEdits = (): void => {
    const spec = this.savedSpec.peek() ?? this.inspection.peek()?.spec;
    if (spec === undefined) return;
    this.changeWiring(spec.wiring);
    this.spec.value = spec;
    this.forgetEdits();
  };

  /** Replaces the settings of an edited robot by the suggestions for its model. Keeps its name. */
  readonly takeSuggestion = (): void => {
    const found = this.inspection.peek();
    if (found === null) return;
    this.#keep({ ...found.spec, name: this.spec.peek()?.name ?? found.spec.name });
    this.changeWiring(found.spec.wiring);
  };

  /** Applies loaded gains. Values that they do not state do not change. */
  readonly takeGains = (gains: LoadedGains): void => {
    this.changeJoints(Object.keys(gains), (joint, name) => {
      const gain = gains[name]!;
      const stated = Object.fromEntries(gain.stated.map((field) => [field, gain[field]]));
      const next = { ...joint, ...stated };
      return gain.stated.includes('action_scale') ? next : withScale(next);
    });
  };

  readonly changeSpec = (change: Partial<RobotSpec>): void => {
    const now = this.spec.peek();
    if (now !== null) this.#keep({ ...now, ...change });
  };

  readonly changeJoints = (names: Iterable<string>, change: (joint: JointSpec, name: string) => JointSpec): void => {
    const now = this.spec.peek();
    if (now === null) return;
    const joints = { ...now.joints };
    for (const name of names) {
      const joint = joints[name];
      if (joint !== undefined) joints[name] = change(joint, name);
    }
    this.#keep({ ...now, joints });
  };

  /** Changes the wiring. The scene shows it after SHOW_AFTER_MS. */
  readonly changeWiring = (wiring: Wiring): void => {
    this.changeSpec({ wiring });
    this.#deps.draftWiring.value = wiring;
    clearTimeout(this.#showTimer);
    this.#showTimer = setTimeout(() => void this.showDraft(), SHOW_AFTER_MS);
  };

  /** Shows the draft with its wiring in the scene. */
  readonly showDraft = async (): Promise<void> => {
    const wiring = this.spec.peek()?.wiring;
    if (wiring === undefined) return;
    try {
      await this.#deps.call('POST /api/robots/import/preview', { body: { wiring } });
    } catch (error) {
      this.#deps.failed('The draft could not be shown', error);
    }
  };

  /** Checks the current settings with the service. @throws the service's error */
  readonly checkDraft = async (signal: AbortSignal): Promise<void> => {
    const now = this.spec.peek();
    if (now === null) return;
    const report = await this.#deps.call('POST /api/robots/import/check', { body: { spec: now as Spec }, signal });
    this.#checked.value = { report, spec: now };
  };

  /** Saves the draft as a robot. @returns the robot's id, its first task, and the token that restores a replaced robot
   *  @throws the service's error */
  readonly saveDraft = async (): Promise<{
    readonly id: string;
    readonly task: string;
    readonly undo: string | null;
  }> => {
    const now = this.spec.peek();
    if (now === null) throw new Error('There is no draft to save.');
    const { id, task, undo } = await this.#deps.call('POST /api/robots/import/save', { body: { spec: now as Spec } });
    this.forgetEdits();
    return { id, task, undo };
  };
}
