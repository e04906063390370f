import { badInput } from '../core/errors.ts';
import { countText } from '../core/log/format-numbers.ts';
import type { Layout } from './layouts/layout.ts';
import { type Reading, widthOf } from './readings.ts';
import type { PolicyTerm, RunPolicy } from './run-policy.ts';

/** One observation that the controller gives the network. */
export interface PlannedObservation {
  readonly reading: Reading;
  /** name in the layout */
  readonly name: string;
  /** values kept, oldest first */
  readonly history: number;
  /** width of one value, and index of the first value in the input of the network */
  readonly width: number;
  readonly offset: number;
}

/** Where a value that the trained network takes comes from.
 *  `input`: the controller. `table`: the row of the current frame, column `index`, of a table in the graph.
 *  `previous`: the last action without the reference, value `index` of the history. */
interface ColumnSource {
  readonly from: 'input' | 'table' | 'previous';
  readonly index: number;
}

/** How a policy is expressed in a layout. */
export interface ExportPlan {
  readonly layout: Layout;
  readonly observations: readonly PlannedObservation[];
  /** number of values of the input */
  readonly inputs: number;
  /** for each value that the trained network takes */
  readonly columns: readonly ColumnSource[];
  /** terms that follow from the clip and are stored in the graph as a table */
  readonly tables: readonly PolicyTerm[];
  /** whether the graph adds the reference to the actions, because the controller cannot */
  readonly foldsReference: boolean;
}

/** Plans how a policy is expressed in a layout. Observations that the controller has are asked from it. Observations
 *  that follow from the clip alone become a table in the graph, whose row the graph finds by `command`. Actions that are
 *  relative to the reference become relative to the default pose.
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
  const plan = { layout, observations, inputs, tables, foldsReference };
  return { ...plan, columns: columnsOf(policy, plan) };
}

/** Returns the readings that make up a term, in its order; null if the controller does not have them. */
function readingsFor({ source }: PolicyTerm, { names }: Layout): readonly Reading[] | null {
  if (source.kind !== 'reading') return null;
  const { reading } = source;
  const has = (...wanted: readonly Reading[]) => wanted.every((one) => names[one] !== undefined);
  if (has(reading)) return [reading];
  if (reading === 'command' && has('ref_joint_pos', 'ref_joint_vel')) return ['ref_joint_pos', 'ref_joint_vel'];
  return (reading === 'ref_joint_pos' || reading === 'ref_joint_vel') && has('command') ? ['command'] : null;
}

/** Refuses a term that neither the controller nor a table can give. */
function refuseUnknown(term: PolicyTerm, { format, names }: Layout): void {
  const { name, func, source, history } = term;
  const own = name === func ? name : `${name} (${func})`;
  const ofClip = source.kind === 'table' || (source.kind === 'reading' && source.reading.startsWith('ref_'));
  if (!ofClip || names.command === undefined)
    throw badInput(
      `format: ${format} cannot express the observation ${own}: its controller has ${Object.values(names).join(', ')}. Train a policy without it, or choose another format.`,
    );
  if (history > 1)
    throw badInput(
      `format: ${format} cannot express the observation ${own} with a history of ${history} values: its controller does not have it. Train with a history of 1.`,
    );
}

/** The graph divides by the scale to express actions relative to the default pose. */
function refuseUnscaled({ joints, scale }: RunPolicy): void {
  const still = scale.indexOf(0);
  if (still >= 0)
    throw badInput(
      `format: the policy adds its actions to the reference, but the action scale of ${joints[still]} is 0, so that the reference cannot be part of the action. Use wbc-g1-deploy.`,
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

/** The places of one value of a term. @param age control steps since the value was measured */
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

/** Describes in a sentence what the graph does beside the network; '' if nothing. */
export function foldedText({ tables, foldsReference }: ExportPlan): string {
  const parts = [
    ...(tables.length === 0
      ? []
      : [
          `The graph holds ${countText(tables.length, 'observation')} of the clip as a table (${tables.map(({ name }) => name).join(', ')}); it finds the frame by the command.`,
        ]),
    ...(foldsReference
      ? [
          'The policy was trained to add its actions to the reference. The graph does that, so the controller adds them to the default pose.',
        ]
      : []),
  ];
  return parts.join(' ');
}
