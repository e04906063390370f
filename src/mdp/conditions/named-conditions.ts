import { badInput } from '../../core/errors.ts';
import { quoteName } from '../../core/files/names.ts';
import { didYouMean } from '../../core/nearest.ts';
import type { Condition } from '../../protocol/schemas/evaluation.ts';
import type { TaskConfig } from '../task-config.ts';

/** The condition without any disturbance. */
export const NOMINAL: Condition = { name: 'nominal' };

const NAMED: Readonly<Record<string, Omit<Condition, 'name'>>> = {
  nominal: {},
  pushes: { pushes: true },
  noise: { noise_scale: 1 },
  randomised: { randomised: true },
  task: { pushes: true, noise_scale: 1, randomised: true },
};
const ROBUSTNESS = 'robustness';

type Setting = Exclude<keyof Condition, 'name'>;

/** Values of the conditions in `robustness`, mild values first. Each condition varies one setting. */
const VARIED: readonly { readonly field: Setting; readonly values: readonly (number | string)[] }[] = [
  { field: 'timestep', values: [0.0025, 0.001] },
  { field: 'integrator', values: ['euler', 'implicit', 'implicitfast', 'rk4'] },
  { field: 'solver', values: ['newton', 'cg', 'pgs'] },
  { field: 'cone', values: ['pyramidal', 'elliptic'] },
  { field: 'contacts', values: ['soles'] },
  { field: 'friction', values: [1, 0.6, 0.3] },
  { field: 'delay_steps', values: [1, 2, 3] },
  { field: 'noise_scale', values: [1, 2] },
  { field: 'stiffness_scale', values: [0.85, 0.7, 1.3] },
  { field: 'damping_scale', values: [0.7, 1.3] },
  { field: 'mass_scale', values: [1.1, 1.2] },
  { field: 'torque_scale', values: [0.8, 0.6] },
];

/** Default settings of robot models in this service: MuJoCo's defaults, except for the integrator. */
const USUAL: Readonly<Partial<Record<Setting, string>>> = {
  integrator: 'implicitfast',
  solver: 'newton',
  cone: 'pyramidal',
};

/** Returns the conditions of a request: names and objects, in their order. `robustness` means about 24 conditions
 *  named `<field>=<value>`. @param task the task as trained; `robustness` skips values that the task already has, and
 *  time steps that do not divide its control step
 *  @throws StudioError bad_input for an unknown name, or two conditions of one name */
export function conditionsOf(asked: readonly (string | Condition)[], task: TaskConfig): Condition[] {
  const conditions = asked.flatMap((item) => {
    if (typeof item !== 'string') return [item];
    if (item === ROBUSTNESS) return robustness(task);
    if (Object.hasOwn(NAMED, item)) return [{ name: item, ...NAMED[item] }];
    const known = [...Object.keys(NAMED), ROBUSTNESS];
    const hint = didYouMean(item, known) ?? `choose one of ${known.join(', ')}`;
    throw badInput(`conditions: unknown condition ${quoteName(item)}; ${hint}`);
  });
  const names = conditions.map(({ name }) => name);
  const twice = names.find((name, k) => names.indexOf(name) !== k);
  if (twice !== undefined) throw badInput(`conditions: two conditions are named ${quoteName(twice)}`);
  return conditions;
}

function robustness(task: TaskConfig): Condition[] {
  const stepS = task.decimation * task.sim.timestep;
  return VARIED.flatMap(({ field, values }) =>
    values
      .filter((value) => {
        if (field === 'timestep')
          return value !== task.sim.timestep && Math.abs(Math.round(stepS / +value) * +value - stepS) < 1e-9;
        return value !== USUAL[field];
      })
      .map((value) => ({ name: `${field}=${value}`, [field]: value }) as Condition),
  );
}
