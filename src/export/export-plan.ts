import { badInput } from '../core/errors.ts';
import { countText } from '../core/log/format-numbers.ts';
import type { Layout } from './layouts/layout.ts';
import { type Reading, widthOf } from './readings.ts';
import type { PolicyTerm, RunPolicy } from './run-policy.ts';

/** One observation that the controller gives the network. */
export interface PlannedObservation {
  readonly reading: Reading;
  /** name of the observation in the layout */
  readonly name: string;
  /** number of values kept in the history, oldest first */
  readonly history: number;
  /** number of values at one time, and index of the first value in the input of the network */
  readonly width: number;
  readonly offset: number;
}

/** Source of a value that the trained network takes as input. `input`: a value from the controller. `table`: column
 *  `index` of a table in the graph, in the row of the current frame. `previous`: value `index` of the history of the
 *  last actions without the reference. */
interface ColumnSource {
  readonly from: 'input' | 'table' | 'previous';
  readonly index: number;
}

/** Describes how a policy is expressed in a layout. */
export interface ExportPlan {
  readonly layout: Layout;
  readonly observations: readonly PlannedObservation[];
  /** number of values in the input of the exported graph */
  readonly inputs: number;
  /** source of each input value of the trained network */
  readonly columns: readonly ColumnSource[];
  /** observations that depend only on the clip and are stored in the graph as a table */
  readonly tables: readonly PolicyTerm[];
  /** observed velocities of points beside the origin of the root, which the graph computes from the root's
   *  velocities */
  readonly levers: readonly PolicyTerm[];
  /** whether the graph adds the reference to the actions, because the controller cannot */
  readonly foldsReference: boolean;
}

/** Plans how a policy is expressed in a layout. Observations that the controller can provide become inputs.
 *  Observations that depend only on the clip become a table in the graph; the graph finds the row of the table from
 *  `command`. Actions relative to the reference are converted to actions relative to the default pose.
 *  @throws StudioError bad_input naming the observation or action that the layout cannot express */
export function planExport(policy: RunPolicy, layout: Layout): ExportPlan {
  const joints = policy.joints.length;
  const foldsReference = policy.residual && !layout.residual;
  const needs = new Map<Reading, number>();
  const tables: PolicyTerm[] = [];
  const need = (reading: Reading, history: number) => needs.set(reading, Math.max(needs.get(reading) ?? 0, history));
  for (const term of policy.terms) {
    const readings = readingsFor(term, layout);
    if (readings) for (const reading of readings) need(reading, term.history);
    else {
      refuseUnknown(term, layout);
      tables.push(term);
    }
  }
  const levers = policy.terms.filter(hasLever);
  for (const { history } of levers) need('base_ang_vel', history);
  if (foldsReference || tables.length > 0) need('command', 1);
  if (foldsReference) refuseUnscaled(policy);
  const longest = Math.max(...needs.values());
  const observations: PlannedObservation[] = [];
  let inputs = 0;
  for (const [reading, name] of Object.entries(layout.names) as [Reading, string][]) {
    const asked = needs.get(reading);
    if (asked === undefined) continue;
    const history = layout.oneHistory ? longest : asked;
    const width = widthOf(reading, joints);
    observations.push({ reading, name, history, width, offset: inputs });
    inputs += width * history;
  }
  const plan = { layout, observations, inputs, tables, levers, foldsReference };
  return { ...plan, columns: columnsOf(policy, plan) };
}

function hasLever({ source }: PolicyTerm): boolean {
  return source.kind === 'reading' && source.lever !== undefined;
}

/** Returns the readings of the controller that make up an observation, in its order; null if the controller does not
 *  have them. */
function readingsFor({ source }: PolicyTerm, { names }: Layout): readonly Reading[] | null {
  if (source.kind !== 'reading') return null;
  const { reading } = source;
  const has = (...wanted: readonly Reading[]) => wanted.every((one) => names[one] !== undefined);
  if (has(reading) && (source.lever === undefined || has('base_ang_vel'))) return [reading];
  if (reading === 'command' && has('ref_joint_pos', 'ref_joint_vel')) return ['ref_joint_pos', 'ref_joint_vel'];
  return (reading === 'ref_joint_pos' || reading === 'ref_joint_vel') && has('command') ? ['command'] : null;
}

/** Refuses an observation that neither the controller nor a table can provide. */
function refuseUnknown(term: PolicyTerm, { format, names }: Layout): void {
  const { name, func, source, history } = term;
  const own = name === func ? name : `${name} (${func})`;
  const ofClip = source.kind === 'table' || (source.kind === 'reading' && source.reading.startsWith('ref_'));
  if (!ofClip || names.command === undefined)
    throw badInput(
      `format: ${format} cannot express the observation ${own}: its controller provides ${Object.values(names).join(', ')}. Train a policy without this observation, for example with a task that does not end in -SE, or choose another format.`,
    );
  if (history > 1)
    throw badInput(
      `format: ${format} cannot express the observation ${own} with a history of ${history} values: controllers that read ${format} provide only the newest value. Train with a history of 1, or choose another format.`,
    );
}

/** Refuses an action scale of 0, because the graph divides by the scale to express actions relative to the default
 *  pose. */
function refuseUnscaled({ joints, scale }: RunPolicy): void {
  const still = scale.indexOf(0);
  if (still >= 0)
    throw badInput(
      `format: the policy adds its actions to the reference, but the action scale of ${joints[still]} is 0, so the reference cannot be included in the action. Use wbc-g1-deploy.`,
    );
}

function columnsOf(policy: RunPolicy, plan: Omit<ExportPlan, 'columns'>): ColumnSource[] {
  const joints = policy.joints.length;
  const columns: ColumnSource[] = [];
  let table = 0;
  for (const term of policy.terms) {
    const readings = readingsFor(term, plan.layout);
    if (!readings) {
      const { width } = term;
      for (let k = 0; k < width; k += 1) columns.push({ from: 'table', index: table + k });
      table += width;
      continue;
    }
    for (let age = term.history - 1; age >= 0; age -= 1)
      for (const reading of readings) columns.push(...valuesOf(term, reading, age, joints, plan));
  }
  return columns;
}

/** Returns the sources of one value of an observation for all its times. @param age number of control steps since the
 *  value was measured */
function valuesOf(
  term: PolicyTerm,
  reading: Reading,
  age: number,
  joints: number,
  { observations, foldsReference }: Omit<ExportPlan, 'columns'>,
): ColumnSource[] {
  const { history, width, offset } = observations.find((observation) => observation.reading === reading)!;
  const own = term.source.kind === 'reading' ? term.source.reading : reading;
  const [first, count] =
    reading === 'command' && own !== 'command' ? [own === 'ref_joint_vel' ? joints : 0, joints] : [0, width];
  const from = reading === 'last_action' && foldsReference ? 'previous' : 'input';
  const start = (history - 1 - age) * width + first + (from === 'input' ? offset : 0);
  return Array.from({ length: count }, (_, k) => ({ from, index: start + k }) as const);
}

/** Describes in a sentence what the graph computes in addition to the network; '' if nothing. */
export function foldedText({ tables, levers, foldsReference }: ExportPlan): string {
  const parts = [
    ...(tables.length === 0
      ? []
      : [
          `The graph contains ${countText(tables.length, 'observation')} of the clip as a table (${tables.map(({ name }) => name).join(', ')}). It finds the current frame from the command.`,
        ]),
    ...levers.map(
      ({ name, source }) =>
        `The policy was trained with ${name} of a sensor at (${'lever' in source ? source.lever.join(', ') : ''}) m in the frame of the root. The graph computes it from the velocity and the angular velocity of the root.`,
    ),
    ...(foldsReference
      ? [
          'The policy was trained to add its actions to the reference. The graph adds the reference, so the controller adds the actions to the default pose.',
        ]
      : []),
  ];
  return parts.join(' ');
}
