import type { ModelStage } from '../model-stage.ts';
import type { XmlElement } from './xml.ts';

/** Lets every mesh reference name a staged file. A visual whose mesh cannot be used is left out; a collision then takes
 *  the shape of a visual of its link, or is left out.
 *  @param folder of the URDF  @returns a sentence for each */
export function placeMeshes(root: XmlElement, folder: string, stage: ModelStage): string[] {
  const warnings = new Set<string>();
  for (const link of root.children.filter(({ name }) => name === 'link')) {
    const name = link.attributes.get('name') ?? '';
    const problems = new Map<XmlElement, string>();
    for (const shape of link.children) {
      if (shape.name !== 'visual' && shape.name !== 'collision') continue;
      const problem = shapeProblem(shape, folder, stage);
      if (problem !== null) problems.set(shape, problem);
    }
    const usable = link.children.find((shape) => shape.name === 'visual' && !problems.has(shape));
    let substituted = link.children.some((shape) => shape.name === 'collision' && !problems.has(shape));
    link.children = link.children.flatMap((shape) => {
      const problem = problems.get(shape);
      if (problem === undefined) return [shape];
      if (shape.name === 'collision' && usable && !substituted) {
        substituted = true;
        warnings.add(`collision of link ${name}: ${problem}; the shape of its visual is used`);
        return [{ ...usable, name: 'collision' }];
      }
      warnings.add(`${shape.name} of link ${name} left out: ${problem}`);
      return [];
    });
  }
  return [...warnings];
}

/** Points the shape's mesh to its staged file. @returns why the shape cannot be used, null where it can */
function shapeProblem(shape: XmlElement, folder: string, stage: ModelStage): string | null {
  const geometry = shape.children.find(({ name }) => name === 'geometry');
  if (!geometry || geometry.children.length === 0) return 'it has no geometry';
  const mesh = geometry.children.find(({ name }) => name === 'mesh');
  if (!mesh) return null;
  const reference = mesh.attributes.get('filename') ?? '';
  if (reference === '') return 'its mesh names no file';
  const staged = stage.mesh(reference, [folder, ''], mesh.attributes.get('scale') ?? '');
  if (!staged.usable) return `mesh ${staged.path ?? reference.slice(0, 200)} ${staged.problem}`;
  mesh.attributes.set('filename', staged.file);
  return null;
}
