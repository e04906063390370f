import type { ReplyOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';
import type { call } from '../../net/api.ts';
import { Loadable } from '../../ui/loadable.ts';

export type PresetsReply = ReplyOf<RouteByKey['GET /api/presets']>;
export type SchemaReply = ReplyOf<RouteByKey['GET /api/presets/schema']>;
export type CheckReply = ReplyOf<RouteByKey['PUT /api/presets/{name}']>;

export interface PresetBody {
  readonly base: string;
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly modules: readonly string[];
  readonly description: string;
}
type ModuleBody = Pick<PresetBody, 'overrides' | 'description'>;

/** The saved presets and modules of the selected robot, and the knobs of its tasks. */
export class SavedPresets {
  readonly #call: typeof call;
  readonly presets: Loadable<PresetsReply>;
  readonly #schemas = new Map<string, Loadable<SchemaReply>>();

  constructor(deps: { readonly call: typeof call }) {
    this.#call = deps.call;
    this.presets = new Loadable(() => this.#call('GET /api/presets'));
  }

  /** Returns the knobs of a base task with modules. They are read from the service at the first call. */
  readonly schemaOf = (base: string, modules: readonly string[]): Loadable<SchemaReply> => {
    const key = JSON.stringify([base, modules]);
    let found = this.#schemas.get(key);
    if (found === undefined) {
      const query = { base, ...(modules.length > 0 ? { modules: [...modules] } : {}) };
      found = new Loadable(() => this.#call('GET /api/presets/schema', { query }));
      this.#schemas.set(key, found);
      void found.refresh();
    }
    return found;
  };

  /** Reads everything again. Called after a change of the robot or a lost connection. */
  readonly refreshPresets = (): void => {
    this.#schemas.clear();
    void this.presets.refresh();
  };

  /** Updates the state with the payload of a `presets` event. */
  readonly takePresets = (event: { readonly kind: 'preset' | 'module'; readonly name: string }): void => {
    // The knobs of a task include the values of its modules, so read them again.
    if (event.kind === 'module')
      for (const [key, schema] of this.#schemas) if (key.includes(event.name)) void schema.refresh();
    void this.presets.refresh();
  };

  /** Checks a preset without saving it. @throws Error with the service's message */
  readonly checkPreset = (name: string, body: PresetBody, signal: AbortSignal): Promise<CheckReply> =>
    this.#call('PUT /api/presets/{name}', {
      params: { name },
      body: { ...body, overrides: { ...body.overrides }, modules: [...body.modules], dry_run: true },
      signal,
    });

  /** Saves a preset. @returns the token that restores the replaced version; null for a new preset @throws Error with
   *  the service's message */
  readonly savePreset = async (name: string, body: PresetBody): Promise<string | null> => {
    const { undo } = await this.#call('PUT /api/presets/{name}', {
      params: { name },
      body: { ...body, overrides: { ...body.overrides }, modules: [...body.modules] },
    });
    await this.presets.refresh();
    return undo;
  };

  /** Checks a module without saving it. @throws Error with the service's message */
  readonly checkModule = (
    name: string,
    { overrides, description }: ModuleBody,
    signal: AbortSignal,
  ): Promise<ReplyOf<RouteByKey['PUT /api/modules/{name}']>> =>
    this.#call('PUT /api/modules/{name}', {
      params: { name },
      body: { overrides: { ...overrides }, description, dry_run: true },
      signal,
    });

  /** Saves a module. @returns the token that restores the replaced version; null for a new module @throws Error with
   *  the service's message */
  readonly saveModule = async (name: string, { overrides, description }: ModuleBody): Promise<string | null> => {
    const body = { overrides: { ...overrides }, description };
    const { undo } = await this.#call('PUT /api/modules/{name}', { params: { name }, body });
    await this.presets.refresh();
    return undo;
  };

  /** Deletes the file of a preset or module. @returns the token for an undo  @throws the service's error */
  readonly deleteConfig = async (kind: 'preset' | 'module', name: string): Promise<string> => {
    const params = { params: { name } };
    const { undo } =
      kind === 'preset'
        ? await this.#call('DELETE /api/presets/{name}', params)
        : await this.#call('DELETE /api/modules/{name}', params);
    await this.presets.refresh();
    return undo;
  };
}
