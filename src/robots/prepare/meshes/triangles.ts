import { badInput } from '../../../core/errors.ts';

/** Triangles of a mesh as a flat list of corners, (3·n, 3) float32: x y z of the first corner, and so on. */
export type Triangles = Float32Array;

/** Maximum number of faces. Decimating a larger mesh would need minutes and gigabytes. */
export const MAX_FACES = 3_000_000;
const HEADER = 84;
const STRIDE = 50;

/** Reads a binary STL; returns null if the size of the bytes does not match the count in their header. */
export function readBinaryStl(bytes: Uint8Array): Triangles | null {
  if (bytes.byteLength < HEADER) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const faces = view.getUint32(80, true);
  if (faces > MAX_FACES || bytes.byteLength < HEADER + STRIDE * faces) return null;
  const corners = new Float32Array(9 * faces);
  for (let face = 0, out = 0; face < faces; face++) {
    const start = HEADER + STRIDE * face + 12; // skip the normal, which precedes the corners
    for (let k = 0; k < 9; k++) corners[out++] = view.getFloat32(start + 4 * k, true);
  }
  return corners;
}

/** Returns the number of faces that the header of a binary STL states; 0 for a text file. */
export function facesOfStl(bytes: Uint8Array): number {
  return bytes.byteLength < HEADER ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(80, true);
}

export function isAsciiStl(bytes: Uint8Array): boolean {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1024)).trimStart().toLowerCase();
  return head.startsWith('solid') && (head.includes('facet') || head.includes('endsolid'));
}

/** Reads an ASCII STL: the three numbers after each word `vertex`.
 *  @throws StudioError bad_input naming `file` and the line of a vertex that is not three numbers */
export function readAsciiStl(bytes: Uint8Array, file: string): Triangles {
  const text = new TextDecoder('latin1').decode(bytes);
  const corners: number[] = [];
  const vertex = /^[ \t]*vertex[ \t]+(\S+)[ \t]+(\S+)[ \t]+(\S+)/gim;
  for (const found of text.matchAll(vertex)) {
    for (const word of found.slice(1, 4)) {
      const value = Number(word);
      if (!Number.isFinite(value)) {
        throw badInput(`${file} line ${lineOf(text, found.index)}: "${word.slice(0, 40)}" is not a number`);
      }
      corners.push(value);
    }
    if (corners.length > 9 * MAX_FACES) throw badInput(`${file} has more than ${MAX_FACES} faces`);
  }
  if (corners.length % 9 !== 0) throw badInput(`${file} ends within a triangle: the file is truncated`);
  return Float32Array.from(corners);
}

/** Reads an OBJ file. Faces with more than three corners are split into triangles; normals and texture coordinates are
 *  ignored. @throws StudioError bad_input naming `file` and line */
export function readObj(bytes: Uint8Array, file: string): Triangles {
  const text = new TextDecoder('latin1').decode(bytes);
  const vertices: number[] = [];
  const corners: number[] = [];
  for (const found of text.matchAll(/^[ \t]*(v|f)[ \t]+(.*)$/gm)) {
    const words = found[2]!.trim().split(/\s+/);
    const fail = (problem: string) => badInput(`${file} line ${lineOf(text, found.index)}: ${problem}`);
    if (found[1] === 'v') {
      for (const word of words.slice(0, 3)) vertices.push(Number(word));
      if (words.length < 3 || !vertices.slice(-3).every(Number.isFinite))
        throw fail('a vertex must have three numbers');
      continue;
    }
    const indices = words.map((word) => {
      const index = Number.parseInt(word, 10);
      return index < 0 ? vertices.length / 3 + index : index - 1;
    });
    if (indices.length < 3 || !indices.every((index) => index >= 0 && 3 * index < vertices.length)) {
      throw fail('a face refers to vertices that do not exist');
    }
    for (let k = 2; k < indices.length; k++) {
      for (const index of [indices[0]!, indices[k - 1]!, indices[k]!]) {
        corners.push(vertices[3 * index]!, vertices[3 * index + 1]!, vertices[3 * index + 2]!);
      }
    }
    if (corners.length > 9 * MAX_FACES) throw badInput(`${file} has more than ${MAX_FACES} faces`);
  }
  return Float32Array.from(corners);
}

function lineOf(text: string, position: number): number {
  let line = 1;
  for (let k = 0; k < position; k++) if (text.charCodeAt(k) === 10) line++;
  return line;
}

/** Formats a binary STL. Normals are zero, because MuJoCo computes its own. */
export function writeBinaryStl(corners: Triangles): Uint8Array {
  const faces = corners.length / 9;
  const bytes = new Uint8Array(HEADER + STRIDE * faces);
  const view = new DataView(bytes.buffer);
  view.setUint32(80, faces, true);
  for (let face = 0; face < faces; face++) {
    for (let k = 0; k < 9; k++) view.setFloat32(HEADER + STRIDE * face + 12 + 4 * k, corners[9 * face + k]!, true);
  }
  return bytes;
}

/** Computes the bounding box of the corners: lowest and highest x y z. */
export function bounds(corners: Triangles): { low: [number, number, number]; high: [number, number, number] } {
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < corners.length; k++) {
    const axis = k % 3;
    if (corners[k]! < low[axis]!) low[axis] = corners[k]!;
    if (corners[k]! > high[axis]!) high[axis] = corners[k]!;
  }
  return { low, high };
}
