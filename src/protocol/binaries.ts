/** `model.bin`: `[u32 nv][u32 nf][f32 verts 3·nv][f32 normals 3·nv][u32 faces 3·nf][u32 nt][f32 uv 2·nt]`,
 *  little-endian. Face indices are relative to their mesh's first vertex. */
export interface ModelBinary {
  /** (nv, 3) m */
  readonly vertices: Float32Array;
  /** (nv, 3) unit vectors */
  readonly normals: Float32Array;
  /** (nf, 3) */
  readonly faces: Uint32Array;
  /** (nt, 2) texture coordinates, measured from the upper left corner of the texture */
  readonly uvs: Float32Array;
}

export function encodeModel({ vertices, normals, faces, uvs }: ModelBinary): Uint8Array {
  const uvStart = 8 + vertices.byteLength + normals.byteLength + faces.byteLength;
  const bytes = new Uint8Array(uvStart + 4 + uvs.byteLength);
  new Uint32Array(bytes.buffer, 0, 2).set([vertices.length / 3, faces.length / 3]);
  new Float32Array(bytes.buffer, 8, vertices.length).set(vertices);
  new Float32Array(bytes.buffer, 8 + vertices.byteLength, normals.length).set(normals);
  new Uint32Array(bytes.buffer, 8 + vertices.byteLength + normals.byteLength, faces.length).set(faces);
  new Uint32Array(bytes.buffer, uvStart, 1)[0] = uvs.length / 2;
  new Float32Array(bytes.buffer, uvStart + 4, uvs.length).set(uvs);
  return bytes;
}

/** Decodes `model.bin`. @throws RangeError if the length does not match the counts */
export function decodeModel(bytes: ArrayBuffer): ModelBinary {
  const [nv = 0, nf = 0] = new Uint32Array(bytes, 0, 2);
  const uvStart = 8 + 24 * nv + 12 * nf;
  const [nt = 0] = bytes.byteLength >= uvStart + 4 ? new Uint32Array(bytes, uvStart, 1) : [];
  if (bytes.byteLength !== uvStart + 4 + 8 * nt)
    throw new RangeError('model.bin: the length does not match the counts in the header');
  return {
    vertices: new Float32Array(bytes, 8, 3 * nv),
    normals: new Float32Array(bytes, 8 + 12 * nv, 3 * nv),
    faces: new Uint32Array(bytes, 8 + 24 * nv, 3 * nf),
    uvs: new Float32Array(bytes, uvStart + 4, 2 * nt),
  };
}

/** `terrain.bin`: `[u32 nv][u32 nf][f32 verts][u8 RGB, padded to 4][u32 faces]`, little-endian. */
export interface TerrainBinary {
  /** (nv, 3) m, world frame */
  readonly vertices: Float32Array;
  /** (nv, 3) RGB 0..255 */
  readonly colours: Uint8Array;
  /** (nf, 3) */
  readonly faces: Uint32Array;
}

const pad4 = (n: number) => (n + 3) & ~3;

export function encodeTerrain({ vertices, colours, faces }: TerrainBinary): Uint8Array {
  const colourStart = 8 + vertices.byteLength;
  const faceStart = colourStart + pad4(colours.byteLength);
  const bytes = new Uint8Array(faceStart + faces.byteLength);
  new Uint32Array(bytes.buffer, 0, 2).set([vertices.length / 3, faces.length / 3]);
  new Float32Array(bytes.buffer, 8, vertices.length).set(vertices);
  bytes.set(colours, colourStart);
  new Uint32Array(bytes.buffer, faceStart, faces.length).set(faces);
  return bytes;
}

/** Decodes `terrain.bin`. @throws RangeError if the length does not match the counts */
export function decodeTerrain(bytes: ArrayBuffer): TerrainBinary {
  const [nv = 0, nf = 0] = new Uint32Array(bytes, 0, 2);
  const faceStart = 8 + 12 * nv + pad4(3 * nv);
  if (bytes.byteLength !== faceStart + 12 * nf)
    throw new RangeError('terrain.bin: the length does not match the counts in the header');
  return {
    vertices: new Float32Array(bytes, 8, 3 * nv),
    colours: new Uint8Array(bytes, 8 + 12 * nv, 3 * nv),
    faces: new Uint32Array(bytes, faceStart, 3 * nf),
  };
}
