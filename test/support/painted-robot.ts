import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { stringify } from 'yaml';
import { WALKER_MJCF, walkerSpec } from './models.ts';

/** Returns a PNG of 8-bit RGB. @param colour of the pixel at column x and row y, 0..255 */
export function png(width: number, height: number, colour: (x: number, y: number) => readonly number[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, (_, y) => [
    0,
    ...Array.from({ length: width }, (_, x) => colour(x, y)).flat(),
  ]);
  return pngOf(header, deflateSync(Buffer.from(rows.flat())));
}

/** Returns a PNG with this header and these compressed rows. Both may be invalid. */
export function pngOf(header: Uint8Array, data: Uint8Array): Buffer {
  const chunk = (kind: string, content: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(kind), content]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(content.byteLength, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** A magenta picture. No part of the page has this colour. */
export const MAGENTA = png(16, 16, () => [255, 0, 255]);

/** A tetrahedron whose corners have two texture coordinates each. */
const SHELL = `v 0 0 0\nv 0.2 0 0\nv 0 0.2 0\nv 0 0 0.2\nvt 0 0\nvt 1 0\nvt 0 1\nvt 0.5 0.75
f 1/1 3/3 2/2\nf 1/1 2/2 4/4\nf 1/2 4/4 3/1\nf 2/1 3/2 4/3\n`;

/** The walker with a textured shell (an OBJ with texture coordinates) and a textured box. */
export const PAINTED_MJCF = WALKER_MJCF.replace('<compiler ', '<compiler texturedir="textures" ')
  .replace(
    /<mesh name="wedge"[^>]*>/,
    `<mesh name="wedge" file="shell.obj"/><texture name="paint/1" type="2d" file="paint.png"/>
     <material name="painted" texture="paint/1" rgba="1 1 1 1"/>`,
  )
  .replace(
    'group="2" rgba="1 0 0 1"/>',
    `group="2" material="painted"/>
     <geom name="trunk_case" type="box" size="0.11 0.16 0.21" contype="0" conaffinity="0" mass="0" group="2" material="painted"/>`,
  );
export const PAINTED_FILES: Readonly<Record<string, Uint8Array>> = {
  'painted.xml': Buffer.from(PAINTED_MJCF),
  'shell.obj': Buffer.from(SHELL),
  'textures/paint.png': MAGENTA,
};

/** Adds the painted walker as robot `painted`. */
export function addPainted(workspace: string): void {
  const folder = path.join(workspace, 'robots/painted');
  mkdirSync(path.join(folder, 'textures'), { recursive: true });
  for (const [name, bytes] of Object.entries(PAINTED_FILES)) writeFileSync(path.join(folder, name), bytes);
  writeFileSync(
    path.join(folder, 'robot.yaml'),
    stringify(walkerSpec({ id: 'painted', name: 'Painted', model: 'painted.xml' })),
  );
}
