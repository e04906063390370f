import { folderOf } from '../find-file.ts';
import type { MeshUse, ModelFolder } from '../model-folder.ts';
import { meshesMissing } from './wording.ts';
import type { XmlElement } from './xml.ts';

/** Sets every mesh reference to its file in the model folder. If a mesh file states colours, its visual becomes one
 *  visual per colour. A visual with an unusable mesh is removed. A collision with an unusable mesh gets the shape of a
 *  visual of its link; without one, it is removed.
 *  @returns one sentence for each change
 *  @throws StudioError bad_input for missing files of links that have no other collision shape */
export function placeMeshes(root: XmlElement, modelPath: string, modelFolder: ModelFolder): string[] {
  const folder = folderOf(modelPath);
  const warnings = new Set<string>();
  const needed = new Map<string, string[]>();
  modelFolder.plan(meshUses(root, folder));
  for (const link of root.children.filter(({ name }) => name === 'link')) {
    const name = link.attributes.get('name') ?? '';
    const shapes = new Map<XmlElement, Placed>();
    for (const shape of link.children) {
      if (shape.name === 'visual' || shape.name === 'collision') shapes.set(shape, place(shape, folder, modelFolder));
    }
    const usable = link.children.find((shape) => shape.name === 'visual' && isPlaced(shapes.get(shape)));
    let substituted = link.children.some((shape) => shape.name === 'collision' && isPlaced(shapes.get(shape)));
    link.children = link.children.flatMap((shape) => {
      const placed = shapes.get(shape);
      if (placed === undefined) return [shape];
      if (isPlaced(placed)) return placed;
      if (shape.name === 'collision' && usable && !substituted) {
        substituted = true;
        warnings.add(`collision of link ${name}: ${placed.text}. The shape of its visual is used instead.`);
        const whole = place({ ...usable, name: 'collision' }, folder, modelFolder);
        if (isPlaced(whole)) return whole;
      }
      if (shape.name === 'collision' && !substituted && placed.absent !== null)
        needed.set(placed.absent, [...(needed.get(placed.absent) ?? []), name]);
      warnings.add(`${shape.name} of link ${name} removed: ${placed.text}`);
      return [];
    });
  }
  if (needed.size > 0) throw meshesMissing(modelPath, [...needed]);
  return [...warnings];
}

function meshUses(root: XmlElement, folder: string): MeshUse[] {
  const shapes = root.children.flatMap(({ name, children }) => (name === 'link' ? children : []));
  return shapes.flatMap(({ name: kind, children }) => {
    const mesh = children.find(({ name }) => name === 'geometry')?.children.find(({ name }) => name === 'mesh');
    const reference = mesh?.attributes.get('filename') ?? '';
    if (reference === '') return [];
    const scale = mesh?.attributes.get('scale') ?? '';
    // Only Collada files are split by colour, so their visuals and collisions need separate meshes.
    const variant = /\.dae$/i.test(reference) ? `${kind} ${scale}` : scale;
    return [{ reference, folders: [folder, ''], variant }];
  });
}

/** The shapes that replace a shape, or the reason why it cannot be used. */
type Placed = readonly XmlElement[] | Problem;

interface Problem {
  readonly text: string;
  /** the reference to a file that is missing; null otherwise */
  readonly absent: string | null;
}

function isPlaced(placed: Placed | undefined): placed is readonly XmlElement[] {
  return Array.isArray(placed);
}

/** Returns the shape with its mesh in the model folder. @param shape the shape, which is not changed */
function place(shape: XmlElement, folder: string, modelFolder: ModelFolder): Placed {
  const geometry = shape.children.find(({ name }) => name === 'geometry');
  if (!geometry || geometry.children.length === 0) return { text: 'it has no geometry', absent: null };
  const mesh = geometry.children.find(({ name }) => name === 'mesh');
  if (!mesh) return [shape];
  const reference = mesh.attributes.get('filename') ?? '';
  if (reference === '') return { text: 'its mesh names no file', absent: null };
  const variant = mesh.attributes.get('scale') ?? '';
  const folders = [folder, ''];
  const placed =
    shape.name === 'visual'
      ? modelFolder.colouredMesh(reference, folders, variant)
      : modelFolder.mesh(reference, folders, variant);
  if (!placed.usable) {
    const text = `mesh ${placed.path ?? reference.slice(0, 200)} ${placed.problem}`;
    return { text, absent: placed.path === null ? reference : null };
  }
  if (!('parts' in placed)) return [withMesh(shape, geometry, mesh, placed.file)];
  return placed.parts.map(({ file, rgba }) => {
    const part = withMesh(shape, geometry, mesh, file);
    return rgba === null ? part : painted(part, rgba);
  });
}

function withMesh(shape: XmlElement, geometry: XmlElement, mesh: XmlElement, file: string): XmlElement {
  const pointed = { ...mesh, attributes: new Map(mesh.attributes).set('filename', file) };
  const swap = (parent: XmlElement, from: XmlElement, to: XmlElement): XmlElement => ({
    ...parent,
    children: parent.children.map((child) => (child === from ? to : child)),
  });
  return swap(shape, geometry, swap(geometry, mesh, pointed));
}

/** Sets the material of a visual to a colour of its mesh file. As in RViz, the colour of the mesh file takes
 *  precedence. */
function painted(shape: XmlElement, rgba: readonly number[]): XmlElement {
  const text = rgba.map((value) => Number(value.toFixed(4))).join(' ');
  const { line } = shape;
  const colour: XmlElement = { name: 'color', attributes: new Map([['rgba', text]]), children: [], line };
  // MuJoCo identifies materials by name, so each colour needs a separate name.
  const material = {
    name: 'material',
    attributes: new Map([['name', `mesh colour ${text}`]]),
    children: [colour],
    line,
  };
  return { ...shape, children: [...shape.children.filter(({ name }) => name !== 'material'), material] };
}
