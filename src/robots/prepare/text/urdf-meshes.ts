import { folderOf } from '../find-file.ts';
import type { ModelFolder } from '../model-folder.ts';
import { meshesMissing } from './wording.ts';
import type { XmlElement } from './xml.ts';

/** Points every mesh reference to its file in the model folder. A visual with an unusable mesh is removed. A collision
 *  with an unusable mesh gets the shape of a visual of its link, or is removed.
 *  @returns one sentence for each change
 *  @throws StudioError bad_input for missing files of links that have no other collision shape */
export function placeMeshes(root: XmlElement, modelPath: string, modelFolder: ModelFolder): string[] {
  const folder = folderOf(modelPath);
  const warnings = new Set<string>();
  const needed = new Map<string, string[]>();
  for (const link of root.children.filter(({ name }) => name === 'link')) {
    const name = link.attributes.get('name') ?? '';
    const problems = new Map<XmlElement, Problem>();
    for (const shape of link.children) {
      if (shape.name !== 'visual' && shape.name !== 'collision') continue;
      const problem = shapeProblem(shape, folder, modelFolder);
      if (problem !== null) problems.set(shape, problem);
    }
    const usable = link.children.find((shape) => shape.name === 'visual' && !problems.has(shape));
    let substituted = link.children.some((shape) => shape.name === 'collision' && !problems.has(shape));
    link.children = link.children.flatMap((shape) => {
      const problem = problems.get(shape);
      if (problem === undefined) return [shape];
      if (shape.name === 'collision' && usable && !substituted) {
        substituted = true;
        warnings.add(`collision of link ${name}: ${problem.text}; the shape of its visual is used`);
        return [{ ...usable, name: 'collision' }];
      }
      if (shape.name === 'collision' && !substituted && problem.absent !== null)
        needed.set(problem.absent, [...(needed.get(problem.absent) ?? []), name]);
      warnings.add(`${shape.name} of link ${name} removed: ${problem.text}`);
      return [];
    });
  }
  if (needed.size > 0) throw meshesMissing(modelPath, [...needed]);
  return [...warnings];
}

interface Problem {
  readonly text: string;
  /** the reference to a missing file */
  readonly absent: string | null;
}

/** Points the shape's mesh to its file in the model folder. @returns why the shape is unusable, null if it is usable */
function shapeProblem(shape: XmlElement, folder: string, modelFolder: ModelFolder): Problem | null {
  const geometry = shape.children.find(({ name }) => name === 'geometry');
  if (!geometry || geometry.children.length === 0) return { text: 'it has no geometry', absent: null };
  const mesh = geometry.children.find(({ name }) => name === 'mesh');
  if (!mesh) return null;
  const reference = mesh.attributes.get('filename') ?? '';
  if (reference === '') return { text: 'its mesh names no file', absent: null };
  const placed = modelFolder.mesh(reference, [folder, ''], mesh.attributes.get('scale') ?? '');
  if (!placed.usable) {
    const text = `mesh ${placed.path ?? reference.slice(0, 200)} ${placed.problem}`;
    return { text, absent: placed.path === null ? reference : null };
  }
  mesh.attributes.set('filename', placed.file);
  return null;
}
