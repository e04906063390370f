import { badInput } from '../../core/errors.ts';
import { elementsOf, type OnnxModel, type OnnxTensor } from '../../formats/onnx/onnx-model.ts';
import { Constants, floatsOf } from './fold-constants.ts';

/** A clip embedded in a policy: row k is the output of the model at time step k. Joints are in the order of the policy,
 *  bodies in the order of its metadata. World frame, quaternions wxyz. */
export interface EmbeddedMotion {
  readonly frames: number;
  readonly joints: number;
  readonly bodies: number;
  /** (frames, joints) rad */
  readonly jointPos: Float32Array;
  /** (frames, joints) rad/s */
  readonly jointVel: Float32Array;
  /** (frames, bodies, 3) m */
  readonly bodyPosW: Float32Array;
  /** (frames, bodies, 4) */
  readonly bodyQuatW: Float32Array;
}

const PASSING = ['Identity', 'Cast', 'Squeeze', 'Unsqueeze', 'Reshape'];
const MAX_NODES = 8;
/** Largest total size of the tables of a motion embedded in a policy, bytes. Enough for twenty minutes of a humanoid
 *  with 30 bodies. */
const MAX_BYTES = 64 << 20;

/** Tables of an embedded clip. Their values are read later. */
interface MotionTables {
  readonly frames: number;
  readonly joints: number;
  readonly bodies: number;
  readonly jointPos: OnnxTensor;
  readonly jointVel: OnnxTensor;
  readonly bodyPos: OnnxTensor;
  readonly bodyQuat: OnnxTensor;
}

/** Reads the clip of a model exported by whole_body_tracking. Such a model has the inputs `obs` and `time_step`, and
 *  each output is a row of a constant table. @returns null for a model without `time_step`
 *  @throws bad_input naming the output that is not such a row, or for a clip that is too long */
export function embeddedMotion(model: OnnxModel): EmbeddedMotion | null {
  const tables = motionTables(model);
  return (
    tables && {
      frames: tables.frames,
      joints: tables.joints,
      bodies: tables.bodies,
      jointPos: floatsOf(tables.jointPos),
      jointVel: floatsOf(tables.jointVel),
      bodyPosW: floatsOf(tables.bodyPos),
      bodyQuatW: floatsOf(tables.bodyQuat),
    }
  );
}

/** Returns the number of frames of the embedded clip from the shapes of its tables, without reading the values.
 *  @returns null for a model without a clip  @throws StudioError bad_input as {@link embeddedMotion} */
export function embeddedFrames(model: OnnxModel): number | null {
  return motionTables(model)?.frames ?? null;
}

function motionTables(model: OnnxModel): MotionTables | null {
  if (!model.inputs.some(({ name }) => name === 'time_step')) return null;
  const constants = new Constants(model);
  const table = (output: string, dimensions: number): OnnxTensor => {
    const rows = tableBehind(model, constants, output);
    const shape = rows?.shape.length === dimensions + 1 && rows.shape[0] === 1 ? rows.shape.slice(1) : rows?.shape;
    if (!rows || shape?.length !== dimensions)
      throw badInput(
        `output "${output}": is not read from a table of the model, which is how an embedded clip is stored`,
      );
    return {
      shape,
      get data() {
        return rows.data;
      },
    };
  };
  const [jointPos, jointVel] = [table('joint_pos', 2), table('joint_vel', 2)];
  const [bodyPos, bodyQuat] = [table('body_pos_w', 3), table('body_quat_w', 3)];
  const [frames, joints] = jointPos.shape as [number, number];
  const bodies = bodyPos.shape[1]!;
  const fits =
    jointVel.shape.join() === `${frames},${joints}` &&
    bodyPos.shape.join() === `${frames},${bodies},3` &&
    bodyQuat.shape.join() === `${frames},${bodies},4`;
  if (!fits) throw badInput('the clip in the model has tables of different lengths: export it again');
  const bytes = 4 * [jointPos, jointVel, bodyPos, bodyQuat].reduce((sum, each) => sum + elementsOf(each), 0);
  if (bytes > MAX_BYTES)
    throw badInput(`the clip in the model has ${bytes} bytes, the limit is ${MAX_BYTES}: export a shorter one`);
  return { frames, joints, bodies, jointPos, jointVel, bodyPos, bodyQuat };
}

/** Finds the constant table of which an output is a row; undefined if there is none. */
function tableBehind({ nodes }: OnnxModel, constants: Constants, output: string): OnnxTensor | undefined {
  let value = output;
  for (let step = 0; step < MAX_NODES; step += 1) {
    const node = nodes.find(({ outputs }) => outputs.includes(value));
    if (!node?.inputs[0]) return undefined;
    if (node.op === 'Gather' && (node.attributes.get('axis')?.int ?? 0) === 0) return constants.get(node.inputs[0]);
    if (node.op === 'GatherND' || node.op === 'Slice') return constants.get(node.inputs[0]);
    if (!PASSING.includes(node.op)) return undefined;
    value = node.inputs[0];
  }
  return undefined;
}
