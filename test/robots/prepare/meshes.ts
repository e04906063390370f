/** A tetrahedron with edges of length `size` along the axes, as corners of four triangles that face outwards. */
export function tetrahedron(size = 0.1): number[][] {
  const s = size;
  return [
    [0, 0, 0, 0, s, 0, s, 0, 0],
    [0, 0, 0, s, 0, 0, 0, 0, s],
    [0, 0, 0, 0, 0, s, 0, s, 0],
    [s, 0, 0, 0, s, 0, 0, 0, s],
  ];
}

/** Two triangles in one plane. */
export const SHEET = [
  [0, 0, 0, 1, 0, 0, 0, 1, 0],
  [1, 0, 0, 1, 1, 0, 0, 1, 0],
];

export function binaryStl(faces: readonly (readonly number[])[]): Uint8Array {
  const bytes = Buffer.alloc(84 + 50 * faces.length);
  bytes.writeUInt32LE(faces.length, 80);
  faces.forEach((face, k) => {
    face.forEach((value, c) => {
      bytes.writeFloatLE(value, 84 + 50 * k + 12 + 4 * c);
    });
  });
  return bytes;
}

export function asciiStl(faces: readonly (readonly number[])[]): Uint8Array {
  const facets = faces.map((face) => {
    const corners = [0, 3, 6].map((k) => `      vertex ${face.slice(k, k + 3).join(' ')}`);
    return `  facet normal 0 0 0\n    outer loop\n${corners.join('\n')}\n    endloop\n  endfacet`;
  });
  return Buffer.from(`solid part\n${facets.join('\n')}\nendsolid part\n`);
}

export function obj(faces: readonly (readonly number[])[]): Uint8Array {
  const vertices = faces.flatMap((face) => [0, 3, 6].map((k) => `v ${face.slice(k, k + 3).join(' ')}`));
  return Buffer.from([...vertices, ...faces.map((_, k) => `f ${3 * k + 1}//1 ${3 * k + 2} ${3 * k + 3}`)].join('\n'));
}

/** A sphere of about 4 · rows² triangles, in rings of latitude. */
export function ball(rows: number): number[][] {
  const at = (i: number, j: number) => {
    const [u, v] = [(Math.PI * i) / rows, (Math.PI * j) / rows];
    return [Math.sin(u) * Math.cos(v), Math.sin(u) * Math.sin(v), Math.cos(u)];
  };
  const faces: number[][] = [];
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < 2 * rows; j++) {
      faces.push([...at(i, j), ...at(i + 1, j), ...at(i + 1, j + 1)]);
      faces.push([...at(i, j), ...at(i + 1, j + 1), ...at(i, j + 1)]);
    }
  }
  return faces;
}
