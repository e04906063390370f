import { wordProblem } from '../../core/files/names.ts';
import type { Params, TaskConfig } from '../../mdp/task-config.ts';
import type { ParamSchema } from '../../mdp/term.ts';
import { type Group, type Json, type JsonObject, type KnobNode, own, type Terms } from './knob-tree.ts';
import { group, inferredLeaf, leaf, paramLeaf, range } from './leaves.ts';
import type { Vocabulary } from './vocabulary.ts';

interface Described {
  readonly description: string;
  readonly params: Readonly<Record<string, ParamSchema>>;
}

/** Allowed custom names of terms that presets define with a `func` of the library. */
const TERM_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

interface TermKind<T extends Described = Described> {
  readonly noun: string;
  readonly description: string;
  readonly library: Readonly<Record<string, T>>;
  /** Returns the terms in a base task's configuration. */
  of(config: TaskConfig): Readonly<Record<string, object>>;
  /** Returns the initial fields of a term of the library, besides func and params. */
  fresh(term: T): JsonObject;
  fields(term: T | undefined): Readonly<Record<string, KnobNode>>;
  /** Returns the node of a parameter, if it differs from the one of its schema. */
  param?(name: string, schema: ParamSchema): KnobNode;
}

function terms<T extends Described>(kind: TermKind<T>, { bases }: Vocabulary): Terms {
  const entries = new Map<string, JsonObject>();
  for (const { config } of bases) {
    for (const [name, entry] of Object.entries(kind.of(config))) {
      if (!entries.has(name)) entries.set(name, entry as JsonObject);
    }
  }
  return {
    kind: 'terms',
    noun: kind.noun,
    description: kind.description,
    known: [...new Set([...entries.keys(), ...Object.keys(kind.library)])],
    create(name, func) {
      const entry = entries.get(name);
      if (entry && (func === null || func === entry['func'])) return entry;
      const term = own(kind.library, func ?? name);
      if (!term || !TERM_NAME.test(name) || wordProblem(name) !== null) return null;
      return { func: func ?? name, ...kind.fresh(term), params: defaultsOf(term.params) };
    },
    nodeOf(_name, entry) {
      const term = typeof entry['func'] === 'string' ? own(kind.library, entry['func']) : undefined;
      const description = term?.description ?? '';
      return group(description, {
        func: leaf('enum', 'Name in the library', { enum: [String(entry['func'])] }),
        ...kind.fields(term),
        params: group('Parameters', paramFields(kind, term?.params ?? {}, (entry['params'] ?? {}) as Params)),
      });
    },
  };
}

function defaultsOf(params: Readonly<Record<string, ParamSchema>>): JsonObject {
  return Object.fromEntries(Object.entries(params).map(([name, schema]) => [name, schema.default]));
}

function paramFields(
  { param = (_name, schema) => paramLeaf(schema) }: Pick<TermKind, 'param'>,
  schemas: Readonly<Record<string, ParamSchema>>,
  values: Params,
): Record<string, KnobNode> {
  const inferred = Object.entries(values)
    .filter(([name]) => !Object.hasOwn(schemas, name))
    .map(([name, value]): [string, KnobNode] => [name, inferredLeaf(value, `Parameter ${name}`)]);
  const described = Object.entries(schemas).map(([name, schema]): [string, KnobNode] => [name, param(name, schema)]);
  return Object.fromEntries([...described, ...inferred]);
}

const DELAY = { minimum: 0, maximum: 1000 };
const perDimension = { items: 'number', orNumber: true, absent: 0 } as const;

export function observationTerms(vocabulary: Vocabulary, groupName: string): Terms {
  const fields = {
    noise: {
      ...group('Uniform random noise added to the values', {
        n_min: leaf('vector', 'Lower limit of the noise: one number, or one per dimension', perDimension),
        n_max: leaf('vector', 'Upper limit of the noise: one number, or one per dimension', perDimension),
      }),
      nullable: { start: { n_min: 0, n_max: 0 } },
    },
    noise_scale: leaf('number', 'Factor for the noise', { minimum: 0, maximum: 1000, absent: 1 }),
    clip: range('Limits of the values after noise; null: no limits', { nullable: true }),
    scale: leaf('vector', 'Factor for the values: one number, or one per dimension; null: 1', {
      items: 'number',
      orNumber: true,
      nullable: true,
    }),
    delay_min_lag: leaf('integer', 'Shortest delay in control steps', DELAY),
    delay_max_lag: leaf('integer', 'Longest delay in control steps', DELAY),
    history_length: leaf(
      'integer',
      'Number of past values to include, oldest first; 0 and 1: only the newest. Has an effect only if the number of the group is null',
      {
        minimum: 0,
        maximum: 100,
      },
    ),
  };
  return terms(
    {
      noun: 'observation term',
      description: `Observations of the ${groupName}, in order`,
      library: vocabulary.library.observations,
      of: (config) => own(config.observations, groupName)?.terms ?? {},
      fresh: () => ({
        noise: null,
        noise_scale: 1,
        clip: null,
        scale: null,
        delay_min_lag: 0,
        delay_max_lag: 0,
        history_length: 0,
      }),
      fields: () => fields,
    },
    vocabulary,
  );
}

export function rewardTerms(vocabulary: Vocabulary): Terms {
  return terms(
    {
      noun: 'reward term',
      description: 'Rewards and penalties: weight × value',
      library: vocabulary.library.rewards,
      of: (config) => config.rewards,
      // Weight 0: the user who adds a term decides between reward and penalty.
      fresh: () => ({ weight: 0 }),
      fields: (term) => ({ weight: leaf('number', term?.description ?? 'Weight', { minimum: -1e6, maximum: 1e6 }) }),
    },
    vocabulary,
  );
}

export function terminationTerms(vocabulary: Vocabulary): Terms {
  return terms(
    {
      noun: 'termination term',
      description: 'Conditions that end an episode',
      library: vocabulary.library.terminations,
      of: (config) => config.terminations,
      fresh: () => ({ time_out: false }),
      fields: () => ({ time_out: leaf('boolean', 'Counts as a time-out instead of a failure') }),
    },
    vocabulary,
  );
}

export function eventTerms(vocabulary: Vocabulary): Terms {
  return terms(
    {
      noun: 'event',
      description: 'Disturbances and random variations of the robots',
      library: vocabulary.events,
      of: (config) => config.events,
      fresh: ({ modes }) => ({ mode: modes[0] ?? 'reset', interval_range_s: modes[0] === 'interval' ? [1, 3] : null }),
      fields: (event) => ({
        mode: leaf('enum', 'When the event happens', {
          enum: event?.modes ?? ['startup', 'reset', 'interval', 'step'],
        }),
        interval_range_s: range('Time between two events, for mode interval', {
          unit: 's',
          minimum: 0,
          maximum: 1e9,
          nullable: true,
        }),
      }),
      param: (name, schema) => eventParam(name, schema, vocabulary.bodies),
    },
    vocabulary,
  );
}

/** Parameters that are ranges must be ordered, lowest first. A body must be one of the robot's, or '' for the
 *  anchor. */
function eventParam(name: string, schema: ParamSchema, bodies: readonly string[]): KnobNode {
  if (name === 'body_name') return leaf('enum', schema.description, { absent: schema.default, enum: ['', ...bodies] });
  const node = paramLeaf(schema);
  return node.length === 2 ? { ...node, ordered: true } : node;
}

/** Standard deviations for rating tracking errors, used if the reward sets none. */
const SIMILARITY_STD: Readonly<Record<string, number>> = {
  joint_pos: 1,
  anchor_pos: 0.3,
  anchor_ori: 0.4,
  body_pos: 0.3,
  body_ori: 0.4,
  body_lin_vel: 1,
  body_ang_vel: 3.14,
};

const similarityNode: Group = group('Tracking term', {
  weight: leaf('number', 'Weight in the similarity', { minimum: 0, maximum: 1000 }),
  std: leaf('number', 'Error at which the similarity falls to 1/e', { above: 0, maximum: 1000 }),
});

export const similarityTerms: Terms = {
  kind: 'terms',
  noun: 'tracking term',
  description: 'Tracking terms whose weighted mean is the similarity',
  known: Object.keys(SIMILARITY_STD),
  create(name): Record<string, Json> | null {
    const std = own(SIMILARITY_STD, name);
    return std === undefined ? null : { weight: 1, std };
  },
  nodeOf: () => similarityNode,
};
