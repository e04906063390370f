import { signal } from '@preact/signals';
import type { ReplyOf } from '../../../../src/protocol/route.ts';
import type { RouteByKey } from '../../../../src/protocol/route-table.ts';
import { call } from '../../net/api.ts';
import { Loadable } from '../../ui/loadable.ts';

export type PresetsReply = ReplyOf<RouteByKey['GET /api/presets']>;
export type SchemaReply = ReplyOf<RouteByKey['GET /api/presets/schema']>;
export type CheckReply = ReplyOf<RouteByKey['PUT /api/presets/{name}']>;

export const presets = new Loadable(() => call('GET /api/presets'));

/** Names of presets and modules whose files changed elsewhere, as `preset rough`. */
export const changedOutside = signal<ReadonlySet<string>>(new Set());

const schemas = new Map<string, Loadable<SchemaReply>>();

/** The knobs of a base task with modules; fetched when first asked for. */
export function schemaOf(base: string, modules: readonly string[]): Loadable<SchemaReply> {
  const key = JSON.stringify([base, modules]);
  let found = schemas.get(key);
  if (found === undefined) {
    const query = { base, ...(modules.length > 0 ? { modules: [...modules] } : {}) };
    found = new Loadable(() => call('GET /api/presets/schema', { query }));
    schemas.set(key, found);
    void found.refresh();
  }
  return found;
}

/** Everything anew: another robot was selected, or the connection was lost. */
export function refreshPresets(): void {
  schemas.clear();
  void presets.refresh();
}

/** A preset or module was written, deleted or changed. */
export function takePresets(event: {
  readonly kind: 'preset' | 'module';
  readonly name: string;
  readonly reason: string;
}): void {
  if (event.reason === 'changed')
    changedOutside.value = new Set([...changedOutside.peek(), `${event.kind} ${event.name}`]);
  // What schemas show is after modules.
  if (event.kind === 'module') for (const [key, schema] of schemas) if (key.includes(event.name)) void schema.refresh();
  void presets.refresh();
}

export interface PresetBody {
  readonly base: string;
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly modules: readonly string[];
  readonly description: string;
}

/** Checks a preset without writing it. @throws what the service says is wrong */
export function checkPreset(name: string, body: PresetBody, signal: AbortSignal): Promise<CheckReply> {
  return call('PUT /api/presets/{name}', {
    params: { name },
    body: { ...body, overrides: { ...body.overrides }, modules: [...body.modules], dry_run: true },
    signal,
  });
}

/** @throws what the service says is wrong */
export async function savePreset(name: string, body: PresetBody): Promise<void> {
  await call('PUT /api/presets/{name}', {
    params: { name },
    body: { ...body, overrides: { ...body.overrides }, modules: [...body.modules] },
  });
  await presets.refresh();
}

type ModuleBody = Pick<PresetBody, 'overrides' | 'description'>;

/** @throws what the service says is wrong */
export function checkModule(
  name: string,
  { overrides, description }: ModuleBody,
  signal: AbortSignal,
): Promise<ReplyOf<RouteByKey['PUT /api/modules/{name}']>> {
  return call('PUT /api/modules/{name}', {
    params: { name },
    body: { overrides: { ...overrides }, description, dry_run: true },
    signal,
  });
}

/** @throws what the service says is wrong */
export async function saveModule(name: string, { overrides, description }: ModuleBody): Promise<void> {
  await call('PUT /api/modules/{name}', { params: { name }, body: { overrides: { ...overrides }, description } });
  await presets.refresh();
}

/** @throws what the service says */
export async function deleteConfig(kind: 'preset' | 'module', name: string): Promise<void> {
  if (kind === 'preset') await call('DELETE /api/presets/{name}', { params: { name } });
  else await call('DELETE /api/modules/{name}', { params: { name } });
  await presets.refresh();
}
