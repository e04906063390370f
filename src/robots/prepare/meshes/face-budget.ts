/** Limit of faces of all meshes of a model together. It keeps the memory of a model below 1 GB: MuJoCo needs 1 to 2 kB
 *  per face during compilation (measured: 893,040 faces in 60 meshes, +0.9 GB at the first compilation). */
export const MAX_TOTAL_FACES = 400_000;

/** Counts the faces that a mesh file states, without decoding the file. Estimates the number for Collada; returns 0 for
 *  unknown formats. */
export function statedFaces(path: string, bytes: Uint8Array): number {
  const ending = /\.[^./]*$/.exec(path)?.[0].toLowerCase() ?? '';
  if (ending === '.stl') return facesInStl(bytes);
  if (ending === '.obj') return facesInObj(bytes);
  if (ending === '.dae') return facesInCollada(bytes);
  if (ending === '.msh' && bytes.byteLength >= 16)
    return new DataView(bytes.buffer, bytes.byteOffset).getInt32(12, true);
  return 0;
}

/** Returns the maximum number of faces per mesh with which all meshes together have at most `total` faces. Meshes with
 *  fewer faces do not change. @returns Infinity if no mesh needs to be reduced */
export function commonLimit(faces: readonly number[], total: number): number {
  const sorted = [...faces].sort((a, b) => a - b);
  let left = total;
  for (const [k, count] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - k));
    if (count > share) return share;
    left -= count;
  }
  return Number.POSITIVE_INFINITY;
}

function facesInStl(bytes: Uint8Array): number {
  const fits = bytes.byteLength >= 84 ? Math.floor((bytes.byteLength - 84) / 50) : 0;
  const stated = fits > 0 ? new DataView(bytes.buffer, bytes.byteOffset).getUint32(80, true) : 0;
  return stated <= fits ? stated : occurrences(bytes, 'endfacet');
}

/** Counts a face with n corners as n − 2 triangles. */
function facesInObj(bytes: Uint8Array): number {
  let faces = 0;
  for (let at = 0; at < bytes.byteLength; at++) {
    while (isBlank(bytes[at])) at++;
    if (bytes[at] === 0x66 && isBlank(bytes[at + 1])) {
      let corners = 0;
      for (at++; at < bytes.byteLength && bytes[at] !== 0x0a; at++) {
        if (isBlank(bytes[at - 1]) && !isBlank(bytes[at]) && bytes[at] !== 0x0d) corners++;
      }
      faces += Math.max(0, corners - 2);
    }
    const end = bytes.indexOf(0x0a, at);
    if (end < 0) break;
    at = end;
  }
  return faces;
}

function facesInCollada(bytes: Uint8Array): number {
  const text = new TextDecoder('latin1').decode(bytes);
  let faces = 0;
  for (const [, kind, count] of text.matchAll(/<(triangles|polylist|polygons)\b[^>]*?\bcount="(\d{1,9})"/g)) {
    faces += Number(count) * (kind === 'triangles' ? 1 : 2);
  }
  return Math.min(faces, bytes.byteLength / 6); // a triangle has at least three indices and three spaces
}

function occurrences(bytes: Uint8Array, word: string): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (let at = buffer.indexOf(word); at >= 0; at = buffer.indexOf(word, at + word.length)) count++;
  return count;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09;
}
