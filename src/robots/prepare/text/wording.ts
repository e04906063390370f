import { badInput } from '../../../core/errors.ts';
import { descendants, type XmlElement } from './xml.ts';

/** Attributes with numbers for masses, sizes and poses. NaN in them would spread without an error. */
const NUMERIC = new Set(
  `mass density size pos quat fromto diaginertia fullinertia range armature damping stiffness frictionloss axis euler
  axisangle xyaxes zaxis friction value xyz rpy ixx ixy ixz iyy iyz izz lower upper effort velocity radius length scale
  multiplier offset gear kp kv forcerange ctrlrange actuatorfrcrange margin gap solref solimp ref springref polycoef
  boundmass boundinertia settotalmass count`.split(/\s+/),
);
const NOT_A_NUMBER = /(^|\s)[+-]?(nan|inf|infinity)(\s|$)/i;

/** Checks that attributes contain numbers. @throws StudioError bad_input naming the first attribute that contains "nan"
 *  or "inf" */
export function checkNumbers(root: XmlElement, file: string): void {
  for (const element of descendants(root)) {
    for (const [key, text] of element.attributes) {
      if (!NUMERIC.has(key) || !NOT_A_NUMBER.test(text)) continue;
      throw refusal(file, element, `${key}="${text.slice(0, 40)}" is not a number`);
    }
  }
}

/** Returns a bad_input error about one element, with its line and its name, if it has one. */
export function refusal(file: string, element: XmlElement, problem: string) {
  const name = element.attributes.get('name');
  return badInput(`${file} line ${element.line}: <${element.name}>${name ? ` ${name}` : ''}: ${problem}`);
}

/** Removes all elements for which `gone` is true, at any depth, and returns them. */
export function removeElements(root: XmlElement, gone: (element: XmlElement) => boolean): XmlElement[] {
  const removed: XmlElement[] = [];
  for (const element of descendants(root)) {
    const { children } = element;
    element.children = children.filter((child) => !gone(child));
    if (element.children.length < children.length) removed.push(...children.filter(gone));
  }
  return removed;
}

/** Formats a count with its noun: `3 sensors`, `1 sensor`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

/** Joins names for a sentence: at most ten, then the number of further names. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 10).join(', ');
  return names.length > 10 ? `${shown} and ${names.length - 10} more` : shown;
}

/** Returns a bad_input error about missing collision meshes.
 *  @param needed missing files, each with the bodies that use it for collisions */
export function meshesMissing(modelPath: string, needed: readonly (readonly [string, readonly string[]])[]) {
  const files = needed.map(([file, bodies]) => `${file.slice(0, 200)} (${listed(bodies)})`);
  const [are, them] = needed.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return badInput(
    `${modelPath}: ${counted(needed.length, 'collision mesh', 'collision meshes')} ${are} not among the files: ` +
      `${listed(files)}. Upload ${them}, or remove the collision geometry that uses ${them} from the model`,
  );
}
