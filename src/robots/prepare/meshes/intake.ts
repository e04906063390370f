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

/** Colours of one file that are drawn. A file with more is drawn in the colour of most of its faces. */
const MAX_COLOURS = 24;

/** A mesh file that MuJoCo can read, or the reason why it cannot be used. */
export type MeshIntake =
  | {
      readonly usable: true;
      readonly bytes: Uint8Array;
      /** extension for `bytes`: `.obj` for an unchanged OBJ file, `.stl` for STL and converted files */
      readonly ending: string;
      /** what was changed, if anything: `has 812344 faces, drawn with 96120` */
      readonly change: string | null;
      /** the same mesh split by colour, if the file states colours (Collada): one binary STL each */
      readonly parts?: readonly ColouredPart[];
    }
  | { readonly usable: false; readonly problem: string };

/** Checks an uploaded mesh file and converts what MuJoCo cannot read: text STL, too many faces, flat meshes.
 *  @param path its extension determines the format */
export function intakeMesh(path: string, bytes: Uint8Array): MeshIntake {
  const ending = /\.[^./]*$/.exec(path)?.[0].toLowerCase() ?? '';
  try {
    if (ending === '.stl') return intakeStl(path, bytes);
    if (ending === '.obj') return finish(readObj(bytes, path), bytes, '.obj', null);
    if (ending === '.dae') return intakeCollada(readCollada(bytes, path));
  } catch (error) {
    return { usable: false, problem: messageOf(error).replace(`${path} `, '') };
  }
  if (ending === '.msh') return { usable: true, bytes, ending, change: null };
  const problem = ending === '' ? 'has no file extension' : `is a ${ending} file`;
  return { usable: false, problem: `${problem}, use .stl, .obj or .dae` };
}

function intakeCollada(read: readonly ColouredTriangles[]): MeshIntake {
  const coloured = limitColours(read.filter(({ corners }) => hasArea(corners)));
  const whole = finish(joined(coloured.map(({ corners }) => corners)), null, '.stl', null);
  if (!whole.usable) return whole;
  if (coloured.length === 1) return { ...whole, parts: [{ bytes: whole.bytes, rgba: coloured[0]!.rgba }] };
  const share = FACE_LIMIT / coloured.reduce((sum, { corners }) => sum + corners.length / 9, 0);
  const parts = coloured.flatMap(({ corners, rgba }) => {
    const limit = Math.max(500, Math.floor((share * corners.length) / 9 / 2));
    const part = finish(share < 1 ? thinned(corners, limit) : corners, null, '.stl', null);
    return part.usable ? [{ bytes: part.bytes, rgba }] : [];
  });
  return { ...whole, parts };
}

function thinned(corners: Triangles, limit: number): Triangles {
  return corners.length / 9 > limit ? decimate(corners, limit) : corners;
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

function intakeStl(path: string, bytes: Uint8Array): MeshIntake {
  const corners = readBinaryStl(bytes);
  if (corners) return finish(corners, bytes, '.stl', null);
  if (isAsciiStl(bytes)) return finish(readAsciiStl(bytes, path), null, '.stl', 'is a text STL, read as binary');
  const faces = facesOfStl(bytes);
  if (bytes.byteLength < 84)
    return { usable: false, problem: `has ${bytes.byteLength} bytes, too few for an STL file` };
  if (faces > MAX_FACES && bytes.byteLength >= 84 + 50 * faces) {
    return { usable: false, problem: `has ${faces} faces, more than ${MAX_FACES}` };
  }
  const there = Math.floor((bytes.byteLength - 84) / 50);
  return { usable: false, problem: `is cut off: its header states ${faces} faces, the file contains ${there}` };
}

/** @param original bytes to use if nothing needs to be converted */
function finish(corners: Triangles, original: Uint8Array | null, ending: string, change: string | null): MeshIntake {
  const faces = corners.length / 9;
  if (faces === 0) return { usable: false, problem: 'has no faces' };
  if (!corners.every(Number.isFinite)) return { usable: false, problem: 'has vertices that are not finite numbers' };
  const changes = change === null ? [] : [change];
  let current = corners;
  if (faces > FACE_LIMIT) {
    current = decimate(corners, FACE_LIMIT / 2);
    changes.push(`has ${faces} faces, used with ${current.length / 9}`);
    if (current.length === 0) return { usable: false, problem: `has ${faces} faces, more than ${FACE_LIMIT}` };
  }
  const normal = flatNormal(current);
  if (normal) {
    current = thicken(current, normal);
    changes.push('is flat, given a thickness of 1/1000 of its extent');
  }
  const same = current === corners && original !== null;
  return {
    usable: true,
    bytes: same ? original : writeBinaryStl(current),
    ending: same ? ending : '.stl',
    change: changes.length > 0 ? changes.join('; ') : null,
  };
}
