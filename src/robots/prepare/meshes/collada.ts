import { badInput } from '../../../core/errors.ts';
import { decodeXml, descendants, parseXml, type XmlElement } from '../text/xml.ts';
import { IDENTITY, type Matrix, placed, times, transformOf } from './collada-transforms.ts';
import { numbersIn } from './number-list.ts';
import { MAX_FACES, type Triangles } from './triangles.ts';

/** The triangles of one colour in a Collada file. */
export interface ColouredTriangles {
  /** (3·n, 3) corners in the frame of the file, m */
  readonly corners: Triangles;
  /** colour in sRGB 0..1 with opacity 1; null if the file does not state a plain colour */
  readonly rgba: readonly [number, number, number, number] | null;
}

/** Size limit of a file, bytes. Reading a file needs about five times as much memory. */
const MAX_BYTES = 64 << 20;
/** Maximum number of placed geometries. Nodes can repeat nodes that repeat other nodes, so the number can grow
 *  exponentially. */
const MAX_INSTANCES = 10_000;
const MAX_NODE_DEPTH = 64;

/** Reads a Collada file: the geometries of its scene with node transforms, split by diffuse colour. Scales lengths to
 *  metres by `<unit>`.
 *
 *  Does not apply `<up_axis>`, like RViz and Gazebo: exporters write Y_UP although the coordinates are those of the
 *  link (all files of MeshLab, for example). Ignores textures, lines and vertex colours.
 *  @param file name of the file in messages
 *  @throws StudioError bad_input naming `file` and line */
export function readCollada(bytes: Uint8Array, file: string): ColouredTriangles[] {
  if (bytes.byteLength > MAX_BYTES) {
    throw badInput(
      `${file} has ${bytes.byteLength} bytes, the limit is ${MAX_BYTES}. Reduce the mesh or save it as binary STL.`,
    );
  }
  const root = parseXml(decodeXml(bytes), file, true);
  if (root.name !== 'COLLADA') throw badInput(`${file} is not Collada: its root element is <${root.name}>`);
  return new ColladaReader(root, file).read();
}

/** The triangles of one geometry that share a material symbol. */
interface Piece {
  readonly symbol: string;
  /** (3·n, 3) in the frame of the geometry */
  readonly corners: Triangles;
}

interface Placement {
  readonly piece: Piece;
  readonly matrix: Matrix;
}

type Rgba = NonNullable<ColouredTriangles['rgba']>;

class ColladaReader {
  readonly #root: XmlElement;
  readonly #file: string;
  readonly #byId = new Map<string, XmlElement>();
  readonly #pieces = new Map<XmlElement, readonly Piece[]>();
  readonly #positions = new Map<XmlElement, Float32Array>();
  readonly #placements = new Map<string, { rgba: Rgba | null; placements: Placement[] }>();
  #instances = 0;
  #faces = 0;

  constructor(root: XmlElement, file: string) {
    this.#root = root;
    this.#file = file;
    for (const element of descendants(root)) {
      const id = element.attributes.get('id');
      if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, element);
    }
  }

  read(): ColouredTriangles[] {
    const unit = Number(find(this.#root, 'asset', 'unit')?.attributes.get('meter') ?? 1);
    const scale = unit > 0 && Number.isFinite(unit) ? unit : 1;
    const start: Matrix = IDENTITY.map((value, k) => (k % 5 === 0 && k < 15 ? scale : value));
    const scene = this.#scene();
    if (scene) for (const node of named(scene, 'node')) this.#node(node, start, 0);
    else for (const geometry of this.#geometries()) this.#place(geometry, start, new Map());
    return [...this.#placements.values()].map(({ rgba, placements }) => ({ rgba, corners: joined(placements) }));
  }

  #scene(): XmlElement | undefined {
    const link = find(this.#root, 'scene', 'instance_visual_scene');
    return (link && this.#linked(link, 'url')) ?? find(this.#root, 'library_visual_scenes', 'visual_scene');
  }

  #geometries(): XmlElement[] {
    return named(this.#root, 'library_geometries').flatMap((library) => named(library, 'geometry'));
  }

  #node(node: XmlElement, parent: Matrix, depth: number): void {
    if (depth > MAX_NODE_DEPTH) this.#fail(node, `nodes are nested deeper than ${MAX_NODE_DEPTH} levels`);
    const matrix = times(parent, transformOf(node, this.#file));
    for (const child of node.children) {
      if (child.name === 'node') this.#node(child, matrix, depth + 1);
      else if (child.name.startsWith('instance_')) this.#instance(child, matrix, depth);
    }
  }

  #instance(element: XmlElement, matrix: Matrix, depth: number): void {
    if (++this.#instances > MAX_INSTANCES) this.#fail(element, `more than ${MAX_INSTANCES} geometries are placed`);
    const target = this.#linked(element, 'url');
    if (!target) return;
    if (target.name === 'node') this.#node(target, matrix, depth + 1);
    if (target.name === 'geometry') this.#place(target, matrix, this.#colours(element));
    const skin = target.name === 'controller' ? find(target, 'skin') : undefined;
    const skinned = skin && this.#linked(skin, 'source');
    if (skinned?.name === 'geometry') this.#place(skinned, matrix, this.#colours(element));
  }

  #place(geometry: XmlElement, matrix: Matrix, colours: ReadonlyMap<string, Rgba | null>): void {
    let pieces = this.#pieces.get(geometry);
    if (!pieces) {
      pieces = this.#readGeometry(geometry);
      this.#pieces.set(geometry, pieces);
    }
    for (const piece of pieces) {
      this.#faces += piece.corners.length / 9;
      if (this.#faces > MAX_FACES) this.#fail(geometry, `the scene has more than ${MAX_FACES} faces`);
      const rgba = colours.get(piece.symbol) ?? this.#materialColour(this.#byId.get(piece.symbol));
      const key = String(rgba);
      const entry = this.#placements.get(key) ?? { rgba, placements: [] };
      entry.placements.push({ piece, matrix });
      this.#placements.set(key, entry);
    }
  }

  /** Returns the colours that an instance binds to the material symbols of its geometry. */
  #colours(instance: XmlElement): Map<string, Rgba | null> {
    const bindings = named(find(instance, 'bind_material', 'technique_common'), 'instance_material');
    return new Map(
      bindings.map((binding) => [
        binding.attributes.get('symbol') ?? '',
        this.#materialColour(this.#linked(binding, 'target')),
      ]),
    );
  }

  #materialColour(material: XmlElement | undefined): Rgba | null {
    const link = find(material, 'instance_effect');
    const technique = find(link && this.#linked(link, 'url'), 'profile_COMMON', 'technique');
    const shading = technique?.children.find(({ name }) => ['phong', 'blinn', 'lambert', 'constant'].includes(name));
    const colour = find(shading, shading?.name === 'constant' ? 'emission' : 'diffuse', 'color');
    if (!colour) return null;
    const [r, g, b] = numbersIn(colour, this.#file);
    const clamped = (value: number | undefined) => Math.min(1, Math.max(0, value ?? 0));
    return [clamped(r), clamped(g), clamped(b), 1];
  }

  #readGeometry(geometry: XmlElement): Piece[] {
    const mesh = find(geometry, 'mesh');
    if (!mesh) return [];
    return mesh.children.flatMap((primitive) => {
      const polygons = polygonsOf(primitive, this.#file);
      return polygons ? [this.#readPrimitive(primitive, polygons)] : [];
    });
  }

  #readPrimitive(primitive: XmlElement, polygons: Polygons): Piece {
    const inputs = named(primitive, 'input');
    const stride = 1 + Math.max(0, ...inputs.map((input) => offsetOf(input)));
    const vertex = inputs.find((input) => /^(VERTEX|POSITION)$/.test(input.attributes.get('semantic') ?? ''));
    const target = vertex && this.#linked(vertex, 'source');
    const position = target?.name === 'vertices' ? this.#positionOf(target) : target;
    if (!vertex || !position) this.#fail(primitive, 'has no vertex positions');
    const points = this.#readPositions(position);
    const triangles = trianglesOf(polygons, stride, (problem) => this.#fail(primitive, problem));
    const corners = new Float32Array(3 * triangles.length);
    const offset = offsetOf(vertex);
    for (const [k, start] of triangles.entries()) {
      const index = polygons.indices[start + offset]!;
      if (!(index >= 0 && 3 * index + 2 < points.length)) {
        this.#fail(primitive, `refers to vertex ${index}, but the file has ${points.length / 3} vertices`);
      }
      for (let axis = 0; axis < 3; axis++) corners[3 * k + axis] = points[3 * index + axis]!;
    }
    return { symbol: primitive.attributes.get('material') ?? '', corners };
  }

  #positionOf(vertices: XmlElement): XmlElement | undefined {
    const input = named(vertices, 'input').find(({ attributes }) => attributes.get('semantic') === 'POSITION');
    return input && this.#linked(input, 'source');
  }

  /** Reads a source of positions as (n, 3). */
  #readPositions(source: XmlElement): Float32Array {
    const known = this.#positions.get(source);
    if (known) return known;
    const accessor = find(source, 'technique_common', 'accessor');
    const array = (accessor && this.#linked(accessor, 'source')) ?? find(source, 'float_array');
    if (!array) this.#fail(source, 'has no <float_array>');
    const values = numbersIn(array, this.#file);
    const stride = Number(accessor?.attributes.get('stride') ?? 3);
    const offset = Number(accessor?.attributes.get('offset') ?? 0);
    if (!(Number.isInteger(stride) && stride >= 3 && Number.isInteger(offset) && offset >= 0)) {
      this.#fail(source, `positions with stride ${stride} and offset ${offset} are not supported`);
    }
    const count = Math.max(0, Math.floor((values.length - offset) / stride));
    const points = new Float32Array(3 * count);
    for (let k = 0; k < count; k++) points.set(values.subarray(offset + k * stride, offset + k * stride + 3), 3 * k);
    this.#positions.set(source, points);
    return points;
  }

  /** Returns the element that a URL attribute (`#id`) names. */
  #linked(element: XmlElement, attribute: string): XmlElement | undefined {
    const url = element.attributes.get(attribute) ?? '';
    return url.startsWith('#') ? this.#byId.get(url.slice(1)) : undefined;
  }

  #fail(element: XmlElement, problem: string): never {
    throw badInput(`${this.#file} line ${element.line}: <${element.name}>: ${problem}`);
  }
}

/** The index lists of a primitive. */
interface Polygons {
  readonly indices: Float32Array | Float64Array;
  /** number of corners of each polygon; null for triangles in one list */
  readonly sizes: ArrayLike<number> | null;
  /** true: triangle strips, in which every second triangle is reversed; false: fans */
  readonly strips: boolean;
}

/** Reads the index lists of a primitive; returns null for elements that are not surfaces. */
function polygonsOf(primitive: XmlElement, file: string): Polygons | null {
  const lists = () => named(primitive, 'p').map((list) => numbersIn(list, file));
  switch (primitive.name) {
    case 'triangles':
      return { indices: concatenated(lists()), sizes: null, strips: false };
    case 'polylist': {
      const sizes = find(primitive, 'vcount');
      return { indices: concatenated(lists()), sizes: sizes ? numbersIn(sizes, file) : [], strips: false };
    }
    case 'polygons':
    case 'trifans':
    case 'tristrips': {
      const all = lists();
      const stride = 1 + Math.max(0, ...named(primitive, 'input').map(offsetOf));
      const sizes = all.map((list) => Math.floor(list.length / stride));
      return { indices: concatenated(all), sizes, strips: primitive.name === 'tristrips' };
    }
    default:
      return null;
  }
}

/** Splits polygons into triangles. @returns for each corner its position in `indices`; three corners per triangle */
function trianglesOf({ indices, sizes, strips }: Polygons, stride: number, fail: (problem: string) => never): number[] {
  const corners = Math.floor(indices.length / stride);
  if (corners > 3 * MAX_FACES) fail(`has more than ${MAX_FACES} faces`);
  if (sizes === null) return Array.from({ length: corners - (corners % 3) }, (_, k) => k * stride);
  let stated = 0;
  for (let k = 0; k < sizes.length; k++) {
    if (!(Number.isInteger(sizes[k]!) && sizes[k]! >= 0)) fail(`"${sizes[k]}" is not a number of corners`);
    stated += sizes[k]!;
  }
  if (stated > corners) fail(`is truncated: its polygons have ${stated} corners, but the file contains ${corners}`);
  const out: number[] = [];
  let first = 0;
  for (let k = 0; k < sizes.length; k++) {
    for (let corner = 2; corner < sizes[k]!; corner++) {
      const last = first + corner;
      const turned = strips && corner % 2 === 1;
      const [a, b] = strips ? [last - 2, last - 1] : [first, last - 1];
      out.push((turned ? b : a) * stride, (turned ? a : b) * stride, last * stride);
    }
    first += sizes[k]!;
  }
  return out;
}

function concatenated(lists: readonly Float64Array[]): Float64Array {
  if (lists.length === 1) return lists[0]!;
  const out = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    out.set(list, at);
    at += list.length;
  }
  return out;
}

function offsetOf(input: XmlElement): number {
  const offset = Number(input.attributes.get('offset') ?? 0);
  return Number.isInteger(offset) && offset >= 0 && offset < 64 ? offset : 0;
}

function joined(placements: readonly Placement[]): Triangles {
  const out = new Float32Array(placements.reduce((sum, { piece }) => sum + piece.corners.length, 0));
  let at = 0;
  for (const { piece, matrix } of placements) {
    placed(piece.corners, matrix, out.subarray(at, at + piece.corners.length));
    at += piece.corners.length;
  }
  return out;
}

/** Returns the element at the end of a path of names; takes the first child of each name. */
function find(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  let current = element;
  for (const name of path) current = current?.children.find((child) => child.name === name);
  return current;
}

function named(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}
