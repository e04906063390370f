import { createHash } from 'node:crypto';
import type { Tagged } from '../../core/tagged.ts';
import type { JsonObject } from '../../presets/knobs/knob-tree.ts';
import { listKnobs, listTerms, paramKnobs } from '../../presets/knobs/list-knobs.ts';
import { overridesSchema } from '../../presets/knobs/overrides-schema.ts';
import { resolveModules, type TaskSources } from '../../presets/resolve-task.ts';
import { termWidths } from '../../presets/task-effect.ts';
import type { ReplyOf } from '../../protocol/route.ts';
import type { getPresetSchema } from '../../protocol/routes/presets.ts';
import type { RobotFacts } from '../../robots/robot-facts.ts';

type Schema = ReplyOf<typeof getPresetSchema>;

/** Number of schemas kept in memory. Each takes about 0.4 MB. */
const KEPT = 8;

/** The inputs of a schema. If an input changes, it is a new object. */
interface MadeOf {
  readonly facts: RobotFacts;
  readonly modules: ReadonlyMap<string, unknown>;
}

/** Replies of `GET /api/presets/schema`. They are reused until the robot or the modules change. */
export class TaskSchemas {
  readonly #kept = new Map<string, Tagged<Uint8Array>>();
  #madeOf: MadeOf | null = null;

  /** @param names name of the base task, then of the modules */
  get(madeOf: MadeOf, names: readonly string[], make: () => Schema): Tagged<Uint8Array> {
    if (this.#madeOf?.facts !== madeOf.facts || this.#madeOf.modules !== madeOf.modules) this.#kept.clear();
    this.#madeOf = madeOf;
    const key = JSON.stringify(names);
    const kept = this.#kept.get(key) ?? tagged(make());
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) break;
      this.#kept.delete(oldest);
    }
    return kept;
  }
}

function tagged(schema: Schema): Tagged<Uint8Array> {
  const content = Buffer.from(JSON.stringify(schema));
  return { content, etag: createHash('sha256').update(content).digest('base64url').slice(0, 22) };
}

/** Returns the knobs, terms and JSON Schema of a base task with modules.
 *  @throws bad_input that names the unknown or invalid part */
export function taskSchema(
  baseName: string,
  modules: readonly string[],
  facts: RobotFacts,
  sources: TaskSources,
): Schema {
  const { base, tree, config } = resolveModules(baseName, modules, sources);
  const { library } = sources.vocabulary;
  const widths = termWidths(config, facts, library);
  const shown = config as unknown as JsonObject;
  const terms = (of: (typeof library)['rewards' | 'terminations' | 'observations']) =>
    Object.entries(of).map(([name, { unit, description, params, aliasOf }]) => ({
      name,
      ...(aliasOf === undefined ? {} : { alias_of: aliasOf }),
      unit,
      description,
      params: paramKnobs(params),
    }));
  return {
    base: base.name,
    modules: [...modules],
    knobs: listKnobs(tree, base.config as unknown as JsonObject, shown),
    terms: listTerms(tree, shown),
    observation_terms: terms(library.observations).map((term) => {
      const dim = widths.get(term.name);
      return dim === undefined ? term : { ...term, dim };
    }),
    reward_terms: terms(library.rewards),
    termination_terms: terms(library.terminations),
    event_terms: Object.entries(sources.vocabulary.events).map(([name, { description, params, aliasOf }]) => ({
      name,
      ...(aliasOf === undefined ? {} : { alias_of: aliasOf }),
      unit: '1',
      description,
      params: paramKnobs(params),
    })),
    json_schema: overridesSchema(tree, shown, `Overrides of ${[base.name, ...modules].join(' + ')}`),
  };
}
