import { badInput } from '../../core/errors.ts';
import { type MainModule, type MjModel, type MjSpec, mujocoMessage } from '../../sim/mujoco.ts';
import { elements } from '../../sim/spec-elements.ts';
import { MODEL_FILES, type RobotFiles } from './model-files.ts';
import { ModelFolder } from './model-folder.ts';
import type { Mimic, ModelFormat, PreparedModel } from './prepared-model.ts';
import { isolateRobot } from './spec/base.ts';
import { repairInertias } from './spec/inertia.ts';
import { addMimics, dropEffortLimits, passiveJoints, readMimics, takeSprings } from './spec/joints.ts';
import { readActuators, readMotors, readPoses } from './spec/reading.ts';
import { coarsenHulls, placeMeshAssets, readFromModelFolder, settleContacts, takePairs } from './spec/shapes.ts';
import { standUpright } from './spec/upright.ts';
import { liftRootFrame } from './spec/virtual-base.ts';
import { flattenMjcf } from './text/mjcf-text.ts';
import { rewriteUrdf } from './text/urdf-text.ts';
import { decodeXml, parseXml } from './text/xml.ts';
import { takeTextures } from './textures/textures.ts';

/** Size limit of a model file, bytes. The model file of a G1 is 60 kB. */
const MAX_MODEL_BYTES = 16 << 20;

/** Reads a model (MJCF or URDF) and prepares it for the service: see PreparedModel. The result depends only on the
 *  files. It is not stored: each compilation computes it again from the original files.
 *
 *  Call it in a separate thread with a time limit, because models are untrusted. Each text that MuJoCo's reader refuses
 *  leaks some of the reader's stack, which is full after about 3600 texts.
 *  @param files all files of the robot's folder; only files that the model refers to are read
 *  @throws StudioError bad_input: one sentence that names the file, and the line or element */
export function prepareModel(mj: MainModule, files: RobotFiles, modelPath: string): PreparedModel {
  if (!MODEL_FILES.test(modelPath)) {
    throw badInput(`model: ${modelPath} is not a model file. Choose an MJCF (.xml, .mjcf) or a URDF (.urdf).`);
  }
  const bytes = files.get(modelPath);
  if (!bytes) throw badInput(`model: the robot's folder has no file ${modelPath}`);
  if (bytes.byteLength > MAX_MODEL_BYTES)
    throw badInput(`model: ${modelPath} has ${bytes.byteLength} bytes, the limit is 16 MiB`);
  const modelFolder = new ModelFolder(mj, files);
  const text = readText(decodeXml(bytes), modelPath, files, modelFolder);
  const spec = parseSpec(mj, text.xml, modelPath);
  const warnings = [...text.warnings];
  const actuators = readActuators(mj, spec);
  const moved = readMotors(mj, spec);
  const poses = readPoses(mj, spec);
  const paired = takePairs(mj, spec); // must run first, because isolateRobot deletes geoms of the world together with their contact pairs
  const { root, warnings: changes } = isolateRobot(mj, spec, modelPath);
  warnings.push(...changes);
  warnings.push(...standUpright(mj, spec, root, { gravity: text.gravity, poses }));
  warnings.push(...liftRootFrame(mj, spec, root));
  const { textures, warnings: untextured } = takeTextures(mj, spec, modelPath, files, modelFolder.index);
  warnings.push(...untextured);
  if (text.format === 'mjcf') warnings.push(...placeMeshAssets(mj, spec, modelPath, modelFolder));
  readFromModelFolder(spec, modelFolder);
  warnings.push(...modelFolder.warnings);
  warnings.push(...settleContacts(mj, spec, root, paired));
  warnings.push(...coarsenHulls(mj, spec));
  warnings.push(...repairInertias(mj, spec, root, modelPath, text.format));
  const efforts = dropEffortLimits(mj, spec);
  for (const [joint, value] of text.effortLimits) efforts.set(joint, { value, source: 'URDF effort' });
  const passive = passiveJoints(mj, spec, moved);
  warnings.push(...takeSprings(mj, spec, { actuators, passive, efforts }));
  addMimics(mj, spec, text.mimics);
  const mimics = text.format === 'urdf' ? text.mimics : readMimics(mj, spec, { actuators, passive });
  const left = new Set(elements(mj, spec, mj.mjtObj.mjOBJ_JOINT).map((element) => mj.mjs_getName(element)));
  const kept = <T>(map: ReadonlyMap<string, T>) => new Map([...map].filter(([name]) => left.has(name)));
  return {
    spec,
    format: text.format,
    warnings,
    root: mj.mjs_getName(root.element),
    velocityLimits: kept(text.velocityLimits),
    effortLimits: kept(efforts),
    actuators: kept(actuators),
    passive,
    mimics,
    poses,
    textures,
    velocimeterSite: text.velocimeterSite,
  };
}

/** A model as text for MuJoCo's reader, with the data that this reader ignores. */
interface ModelText {
  readonly format: ModelFormat;
  readonly xml: string;
  readonly warnings: readonly string[];
  readonly velocityLimits: ReadonlyMap<string, number>;
  readonly effortLimits: ReadonlyMap<string, number>;
  readonly mimics: ReadonlyMap<string, Mimic>;
  /** direction of gravity in the world frame of the file */
  readonly gravity: readonly number[];
  readonly velocimeterSite: string | null;
}

function readText(text: string, modelPath: string, files: RobotFiles, modelFolder: ModelFolder): ModelText {
  const root = parseXml(text, modelPath);
  if (root.name === 'robot')
    return { format: 'urdf', gravity: [0, 0, -1], velocimeterSite: null, ...rewriteUrdf(root, modelPath, modelFolder) };
  if (root.name === 'mujoco') {
    const none = { velocityLimits: new Map(), effortLimits: new Map(), mimics: new Map() };
    return { format: 'mjcf', ...none, ...flattenMjcf(root, modelPath, files, modelFolder.index) };
  }
  const hint = root.name === 'mujocoinclude' ? ' but a part of one: choose the file that includes it' : '';
  throw badInput(
    `model: ${modelPath} is not a robot model${hint || `: its root element is <${root.name}>, not <mujoco> or <robot>`}`,
  );
}

function parseSpec(mj: MainModule, xml: string, modelPath: string): MjSpec {
  try {
    return mj.parseXMLString(xml);
  } catch (error) {
    throw badInput(`${modelPath}: ${plainWords(error)}`);
  }
}

/** Compiles a prepared spec. @throws StudioError bad_input with MuJoCo's message, in which files have their uploaded
 *  names */
export function compileSpec(mj: MainModule, spec: MjSpec, modelPath: string): MjModel {
  try {
    return mj.mj_compile(spec);
  } catch (error) {
    throw badInput(`${modelPath} does not compile: ${plainWords(error).replaceAll(spec.modelfiledir, '')}`);
  }
}

/** Removes MuJoCo's prefixes. Example of the result: `unrecognized attribute: 'bar', Element 'body', line 13`. */
function plainWords(error: unknown): string {
  return mujocoMessage(error)
    .replace(/^(Could not create Spec from XML string: |XML Error: |Error: )+/, '')
    .replace(/[\s,]+$/, '');
}
