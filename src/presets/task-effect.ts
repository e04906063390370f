import { messageOf, StudioError } from '../core/errors.ts';
import type { ObservationTermConfig, Params, TaskConfig } from '../mdp/task-config.ts';
import type { TermContext, TermLibrary } from '../mdp/term.ts';
import { own } from './knobs/knob-tree.ts';
import { KnobError } from './knobs/merge-overrides.ts';
import { oneEnvironment } from './one-environment.ts';

/** Dimensions and memory of a task's configuration. */
export interface TaskEffect {
  /** dimension of each observation group, with history */
  readonly observations: Readonly<Record<string, number>>;
  readonly action: number;
  /** memory of one environment: state, observations and history */
  readonly env_bytes: number;
}

/** Approximate memory of rewards, events and motion command per environment, bytes. */
const MANAGERS_BYTES = 512;

/** Creates every term of a configuration once, which checks the parameters against the robot.
 *  @throws KnobError for terms that cannot be created, bad_input for bodies that the robot does not have */
export function taskEffect(config: TaskConfig, facts: TermContext['facts'], library: TermLibrary): TaskEffect {
  const context = oneEnvironment(facts, config);
  const joints = facts.joints.length;
  const { scale } = config.actions.joint_pos;
  if (scale !== null && scale.length !== joints)
    throw new KnobError(
      ['actions', 'joint_pos', 'scale'],
      `must have ${joints} numbers, one per joint, not ${scale.length}`,
    );
  let bytes = MANAGERS_BYTES + stateBytes(context) + 8 * (3 * joints + 19);
  const observations = Object.entries(config.observations).map(([name, group]): [string, number] => {
    let dim = 0;
    for (const [term, settings] of Object.entries(group.terms)) {
      const path = ['observations', name, 'terms', term];
      const width = make(library.observations, settings, path, (known) => known.make(context, settings.params).dim);
      checkWidths(path, settings, width);
      const kept = Math.max(1, group.history_length ?? settings.history_length);
      dim += width * kept;
      if (settings.delay_max_lag > 0) bytes += 4 * width * (settings.delay_max_lag + 1);
    }
    bytes += 4 * dim;
    return [name, dim];
  });
  for (const [name, settings] of Object.entries(config.rewards))
    make(library.rewards, settings, ['rewards', name], (known) => known.make(context, settings.params));
  for (const [name, settings] of Object.entries(config.terminations))
    make(library.terminations, settings, ['terminations', name], (known) => known.make(context, settings.params));
  bytes += 4 * Object.keys(config.rewards).length;
  return { observations: Object.fromEntries(observations), action: joints, env_bytes: bytes };
}

/** Returns the dimension of each known term with default parameters. Terms that cannot be created for the robot are
 *  omitted. */
export function termWidths(config: TaskConfig, facts: TermContext['facts'], library: TermLibrary): Map<string, number> {
  const context = oneEnvironment(facts, config);
  const widths = new Map<string, number>();
  for (const [name, term] of Object.entries(library.observations)) {
    const params = Object.fromEntries(Object.entries(term.params).map(([key, schema]) => [key, schema.default]));
    try {
      widths.set(name, term.make(context, params).dim);
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
    }
  }
  return widths;
}

function make<T, R>(
  terms: Readonly<Record<string, T>>,
  { func }: { readonly func: string; readonly params: Params },
  path: readonly string[],
  run: (term: T) => R,
): R {
  const term = own(terms, func);
  if (!term) throw new KnobError([...path, 'func'], `there is no term ${JSON.stringify(func)}`);
  try {
    return run(term);
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    // Errors of terms name the parameter but not the term: add the term.
    const [, parameter, problem] = /^(?:params\.)?(\w+): (.*)$/s.exec(messageOf(error)) ?? [];
    throw parameter === undefined || problem === undefined
      ? new KnobError(path, messageOf(error))
      : new KnobError([...path, 'params', parameter], problem);
  }
}

function checkWidths(path: readonly string[], { noise, scale }: ObservationTermConfig, width: number): void {
  const fields: [string[], number | readonly number[] | null | undefined][] = [
    [['noise', 'n_min'], noise?.n_min],
    [['noise', 'n_max'], noise?.n_max],
    [['scale'], scale],
  ];
  for (const [field, value] of fields) {
    if (typeof value === 'object' && value !== null && value.length !== width)
      throw new KnobError([...path, ...field], `must be one number or ${width}, as the term has, not ${value.length}`);
  }
}

function stateBytes({ state }: TermContext): number {
  return Object.values(state).reduce(
    (sum: number, value) => sum + (ArrayBuffer.isView(value) ? value.byteLength : 0),
    0,
  );
}
