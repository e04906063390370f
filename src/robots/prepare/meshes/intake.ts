import { messageOf } from '../../../core/errors.ts';
import { type ColouredTriangles, readCollada } from './collada.ts';
import { decimate, flatNormal, hasArea, thicken } from './repair.ts';
import {
  facesOfStl,
  isAsciiStl,
  MAX_FACES,
  readAsciiStl,
  readBinaryStl,
  readObj,
  type Triangles,
  writeBinaryStl,
} from './triangles.ts';

/** MuJoCo's limit for STL files. */
const FACE_LIMIT = 200_000;

/** A part of a mesh with its own colour. */
export interface ColouredPart {
  /** binary STL */
  readonly bytes: Uint8Array;
  /** sRGB and opacity, 0..1; null if the file states none */
  readonly rgba: ColouredTriangles['rgba'];
}

/** Maximum number of colours drawn of one file. A file with more colours is drawn in the colour of most of its
 *  faces. */
const MAX_COLOURS = 24;

/** Size limit of a mesh file, bytes. Reading a text file needs about six times as much memory. */
const MAX_BYTES = 128 << 20;

/** A mesh file that MuJoCo can read, or the reason why it cannot be used. */
export type MeshIntake =
  | {
      readonly usable: true;
      readonly bytes: Uint8Array;
      /** extension for `bytes`: `.obj` for an unchanged OBJ file, `.stl` for STL and converted files */
      readonly ending: string;
      /** description of the conversion, such as `has 812344 faces, drawn with 96120`; null if the mesh was not
       *  converted */
      readonly change: string | null;
      /** the same mesh as one binary STL per colour, if the file states colours (Collada) */
      readonly parts?: readonly ColouredPart[];
    }
  | { readonly usable: false; readonly problem: string };

/** Checks an uploaded mesh file. Converts text STL, Collada, flat meshes and meshes with too many faces, which MuJoCo
 *  cannot read.
 *  @param path its extension determines the format  @param limit number of faces to keep; default: as many as MuJoCo
 *  reads */
export function intakeMesh(path: string, bytes: Uint8Array, limit = Number.POSITIVE_INFINITY): MeshIntake {
  const ending = /\.[^./]*$/.exec(path)?.[0].toLowerCase() ?? '';
  try {
    if (bytes.byteLength > MAX_BYTES) {
      return {
        usable: false,
        problem: `has ${bytes.byteLength} bytes, the limit is ${MAX_BYTES}. Reduce the number of its faces.`,
      };
    }
    if (ending === '.stl') return intakeStl(path, bytes, limit);
    if (ending === '.obj') return finish(readObj(bytes, path), bytes, '.obj', null, limit);
    if (ending === '.dae') return intakeCollada(readCollada(bytes, path), limit);
  } catch (error) {
    return { usable: false, problem: messageOf(error).replace(`${path} `, '') };
  }
  if (ending === '.msh') return intakeMsh(bytes, limit);
  const problem = ending === '' ? 'has no file extension' : `is a ${ending} file`;
  return { usable: false, problem: `${problem}. Use .stl, .obj or .dae.` };
}

function intakeCollada(read: readonly ColouredTriangles[], limit: number): MeshIntake {
  const coloured = limitColours(read.filter(({ corners }) => hasArea(corners)));
  const whole = finish(joined(coloured.map(({ corners }) => corners)), null, '.stl', null, limit);
  if (!whole.usable) return whole;
  if (coloured.length === 1) return { ...whole, parts: [{ bytes: whole.bytes, rgba: coloured[0]!.rgba }] };
  const most = Math.min(limit, FACE_LIMIT);
  const share = most / coloured.reduce((sum, { corners }) => sum + corners.length / 9, 0);
  const parts = coloured.flatMap(({ corners, rgba }) => {
    const kept = share < 1 ? Math.max(50, Math.floor((share * corners.length) / 9)) : most;
    const part = finish(corners, null, '.stl', null, kept);
    return part.usable ? [{ bytes: part.bytes, rgba }] : [];
  });
  return { ...whole, parts };
}

function limitColours(parts: readonly ColouredTriangles[]): readonly ColouredTriangles[] {
  if (parts.length <= MAX_COLOURS) return parts;
  const most = parts.reduce((best, part) => (part.corners.length > best.corners.length ? part : best));
  return [{ rgba: most.rgba, corners: joined(parts.map(({ corners }) => corners)) }];
}

function joined(lists: readonly Triangles[]): Triangles {
  if (lists.length === 1) return lists[0]!;
  const out = new Float32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    out.set(list, at);
    at += list.length;
  }
  return out;
}

/** Checks that a mesh in MuJoCo's own format has the size that its header states. MuJoCo allocates memory by the
 *  header. */
function intakeMsh(bytes: Uint8Array, limit: number): MeshIntake {
  if (bytes.byteLength < 16)
    return { usable: false, problem: `has ${bytes.byteLength} bytes, which is too few for an MSH file` };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [vertices, normals, coordinates, faces] = [0, 4, 8, 12].map((at) => view.getInt32(at, true)) as [
    number,
    number,
    number,
    number,
  ];
  const size = 16 + 12 * vertices + 12 * normals + 8 * coordinates + 12 * faces;
  if (Math.min(vertices, normals, coordinates, faces) < 0 || size !== bytes.byteLength) {
    return {
      usable: false,
      problem: `is damaged: its header states ${size} bytes, but the file has ${bytes.byteLength}`,
    };
  }
  const most = Math.min(limit, FACE_LIMIT);
  if (faces > most)
    return { usable: false, problem: `has ${faces} faces, the limit is ${most}. Save it as .stl or .obj.` };
  return { usable: true, bytes, ending: '.msh', change: null };
}

function intakeStl(path: string, bytes: Uint8Array, limit: number): MeshIntake {
  const corners = readBinaryStl(bytes);
  if (corners) return finish(corners, bytes, '.stl', null, limit);
  if (isAsciiStl(bytes))
    return finish(readAsciiStl(bytes, path), null, '.stl', 'is a text STL, converted to binary', limit);
  const faces = facesOfStl(bytes);
  if (bytes.byteLength < 84)
    return { usable: false, problem: `has ${bytes.byteLength} bytes, which is too few for an STL file` };
  if (faces > MAX_FACES && bytes.byteLength >= 84 + 50 * faces) {
    return { usable: false, problem: `has ${faces} faces, more than ${MAX_FACES}` };
  }
  const there = Math.floor((bytes.byteLength - 84) / 50);
  return { usable: false, problem: `is truncated: its header states ${faces} faces, but the file contains ${there}` };
}

/** @param original bytes to use if no conversion is needed  @param limit number of faces to keep */
function finish(
  corners: Triangles,
  original: Uint8Array | null,
  ending: string,
  change: string | null,
  limit: number,
): MeshIntake {
  const faces = corners.length / 9;
  if (faces === 0) return { usable: false, problem: 'has no faces' };
  if (!corners.every(Number.isFinite)) return { usable: false, problem: 'has vertices that are not finite numbers' };
  const changes = change === null ? [] : [change];
  let current = corners;
  if (faces > Math.min(limit, FACE_LIMIT)) {
    current = decimate(corners, Math.min(limit, FACE_LIMIT / 2));
    // If the limit applies to the whole model, the model folder reports it once.
    if (limit >= FACE_LIMIT) changes.push(`has ${faces} faces, reduced to ${current.length / 9}`);
    if (current.length === 0)
      return { usable: false, problem: `has ${faces} faces, more than ${Math.min(limit, FACE_LIMIT)}` };
  }
  const normal = flatNormal(current);
  if (normal) {
    current = thicken(current, normal);
    changes.push('is flat, so it was given a thickness of 1/1000 of its extent');
  }
  const same = current === corners && original !== null;
  return {
    usable: true,
    bytes: same ? original : writeBinaryStl(current),
    ending: same ? ending : '.stl',
    change: changes.length > 0 ? changes.join('; ') : null,
  };
}
