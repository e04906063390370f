import { badInput } from '../../../core/errors.ts';
import { type FileIndex, folderOf, joinPath } from '../find-file.ts';
import type { RobotFiles } from '../model-files.ts';
import { checkNumbers, counted, refusal, removeElements } from './wording.ts';
import { decodeXml, MAX_DEPTH, parseXml, writeXml, type XmlElement } from './xml.ts';

/** Maximum number of elements after includes and copies are expanded. A G1 has 300. MuJoCo's time grows with the square
 *  of the number. */
const MAX_ELEMENTS = 10_000;
const MAX_INCLUDES = 200;
/** Sections that the service sets itself or does not use. */
const DROPPED: Readonly<Record<string, string | null>> = {
  option: 'its <option> (time step, solver, gravity) is replaced by the settings of the service',
  size: null,
  visual: null,
  statistic: null,
  custom: null,
  extension: null,
};
const REFUSED: Readonly<Record<string, string>> = {
  composite: 'ropes, cloths and grids are not supported',
  flexcomp: 'soft bodies are not supported',
  flex: 'soft bodies are not supported',
  attach: 'models attached to one another are not supported. Save the robot as one model.',
  plugin: 'plugins are not supported',
};

/** Name of upstream's velocimeter, whose values tasks observe. */
const VELOCIMETER = 'imu_lin_vel';

/** Writes the model as one text, with includes expanded and unused sections removed. Keeps the line numbers of the main
 *  file. @throws StudioError bad_input with file and line */
export function flattenMjcf(
  root: XmlElement,
  modelPath: string,
  files: RobotFiles,
  index: FileIndex,
): { xml: string; warnings: string[]; gravity: number[]; velocimeterSite: string | null } {
  const warnings: string[] = [];
  new Includes(modelPath, files, index).expand(root, modelPath, [modelPath]);
  checkNumbers(root, modelPath);
  const gravity = gravityOf(root);
  for (const [name, warning] of Object.entries(DROPPED)) {
    const dropped = root.children.filter((child) => child.name === name);
    if (dropped.some(({ attributes, children }) => attributes.size + children.length > 0) && warning !== null) {
      warnings.push(warning);
    }
    root.children = root.children.filter((child) => child.name !== name);
  }
  const sensors = root.children.filter(({ name }) => name === 'sensor').flatMap(({ children }) => children);
  if (sensors.length > 0)
    warnings.push(`${counted(sensors.length, 'sensor')} ignored, because the service reads the state itself`);
  root.children = root.children.filter(({ name }) => name !== 'sensor');
  const velocimeter = sensors.find(
    ({ name, attributes }) => name === 'velocimeter' && attributes.get('name') === VELOCIMETER,
  );
  for (const section of root.children.filter(({ name }) => name === 'actuator')) {
    const plugins = removeElements(section, ({ name }) => name === 'plugin');
    if (plugins.length > 0) warnings.push(`${counted(plugins.length, 'actuator plugin')} ignored`);
  }
  const skins = removeElements(root, ({ name }) => name === 'skin');
  if (skins.length > 0) warnings.push(`${counted(skins.length, 'skin')} ignored`);
  checkSize(root, modelPath);
  return { xml: writeXml(root), warnings, gravity, velocimeterSite: velocimeter?.attributes.get('site') ?? null };
}

/** Returns the direction of gravity in the world frame of the file, any length. */
function gravityOf(root: XmlElement): number[] {
  const stated = root.children
    .filter(({ name }) => name === 'option')
    .flatMap(({ attributes }) => attributes.get('gravity') ?? []);
  const numbers = (stated.at(-1) ?? '').trim().split(/\s+/).map(Number);
  return numbers.length === 3 ? numbers : [0, 0, -1];
}

class Includes {
  private count = 0;

  private readonly modelPath: string;
  private readonly files: RobotFiles;
  private readonly index: FileIndex;

  constructor(modelPath: string, files: RobotFiles, index: FileIndex) {
    this.modelPath = modelPath;
    this.files = files;
    this.index = index;
  }

  expand(element: XmlElement, file: string, trail: readonly string[]): void {
    if (!element.children.some(({ name }) => name === 'include')) {
      for (const child of element.children) this.expand(child, file, trail);
      return;
    }
    element.children = element.children.flatMap((child) => {
      if (child.name === 'include') return this.read(child, file, trail);
      this.expand(child, file, trail);
      return [child];
    });
  }

  private read(include: XmlElement, file: string, trail: readonly string[]): XmlElement[] {
    const reference = include.attributes.get('file') ?? '';
    const path = this.index.find(reference, [folderOf(this.modelPath), folderOf(file)]);
    if (path === null) throw refusal(file, include, missing(reference, folderOf(file)));
    if (trail.includes(path)) throw refusal(file, include, `${path} includes itself`);
    if (++this.count > MAX_INCLUDES) throw refusal(file, include, `more than ${MAX_INCLUDES} files are included`);
    const root = parseXml(decodeXml(this.files.get(path)!), path);
    if (root.name !== 'mujoco' && root.name !== 'mujocoinclude') {
      throw badInput(
        `${path} line ${root.line}: <${root.name}> cannot be included: the root element must be <mujocoinclude>`,
      );
    }
    this.expand(root, path, [...trail, path]);
    return root.children.map((child) => relined(child, include.line));
  }
}

function missing(reference: string, folder: string): string {
  const short = JSON.stringify(reference.slice(0, 200));
  if (reference === '') return 'names no file';
  const outside = reference.startsWith('/') || /^[a-z]+:/i.test(reference) || joinPath(folder, reference) === null;
  return outside
    ? `${short} is outside of the robot's folder. Add the file to the folder and include it by its new path.`
    : `${short} is not among the files`;
}

/** Gives all elements the line of the include, because MuJoCo's messages must name lines of the main file. */
function relined(element: XmlElement, line: number): XmlElement {
  return { ...element, line, children: element.children.map((child) => relined(child, line)) };
}

/** Limits the size of the model. @throws StudioError bad_input for unsupported elements, and for copies beyond the
 *  limit */
function checkSize(root: XmlElement, file: string): void {
  const size = (element: XmlElement, depth: number): number => {
    if (depth > MAX_DEPTH) throw refusal(file, element, `elements are nested deeper than ${MAX_DEPTH} levels`);
    const refused = REFUSED[element.name];
    if (refused) throw refusal(file, element, refused);
    if (element.name === 'model' && element.attributes.has('file')) throw refusal(file, element, REFUSED['attach']!);
    let sum = 1;
    for (const child of element.children) sum += size(child, depth + 1);
    if (element.name !== 'replicate') return sum;
    const copies = Number(element.attributes.get('count') ?? 1);
    if (!(copies * sum <= MAX_ELEMENTS)) {
      throw refusal(file, element, `${copies} copies of ${counted(sum, 'element')} are too many for a robot`);
    }
    return copies * sum;
  };
  const total = size(root, 1);
  if (total > MAX_ELEMENTS) throw badInput(`${file} has ${total} elements, more than ${MAX_ELEMENTS}`);
}
