import {
  type Color,
  DoubleSide,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  PMREMGenerator,
  Scene,
  type Texture,
  type WebGLRenderer,
} from 'three';
import type { Palette } from './palette.ts';

/** A soft box of light in the room: size, place, strength in the dark and the light theme, colour. */
type Lamp = readonly [
  width: number,
  height: number,
  x: number,
  y: number,
  z: number,
  dark: number,
  light: number,
  colour: number,
];

/** Large soft box above, one beside, a cool and a warm strip. */
const LAMPS: readonly Lamp[] = [
  [6, 6, 0, 0, 8, 7, 6, 0xf4f8ff],
  [3, 7, 7, 4, 3, 6, 5, 0xffffff],
  [3, 6, -5, -7, 3, 4, 3, 0x9fc2ff],
  [2, 6, -7, 5, 2, 3.5, 2.5, 0xffe9cf],
];

/** Image-based light from a small built room. The caller disposes of the texture. */
export function roomLight(renderer: WebGLRenderer, palette: Palette): Texture {
  const room = new Scene();
  room.background = palette.colour('--vp-room');
  const meshes: Mesh<PlaneGeometry, MeshBasicMaterial>[] = [];
  const add = (width: number, height: number, x: number, y: number, z: number, colour: Color) => {
    const mesh = new Mesh(
      new PlaneGeometry(width, height),
      new MeshBasicMaterial({ color: colour, side: DoubleSide, toneMapped: false }),
    );
    mesh.position.set(x, y, z);
    mesh.lookAt(0, 0, 0);
    meshes.push(mesh);
    room.add(mesh);
  };
  for (const [width, height, x, y, z, dark, light, hex] of LAMPS) {
    add(
      width,
      height,
      x,
      y,
      z,
      palette
        .colour('--vp-room')
        .setHex(hex)
        .multiplyScalar(palette.dark ? dark : light),
    );
  }
  add(24, 24, 0, 0, -6, palette.colour('--vp-room-floor').multiplyScalar(palette.dark ? 0.12 : 0.9));
  const generator = new PMREMGenerator(renderer);
  const { texture } = generator.fromScene(room, 0.03);
  generator.dispose();
  for (const mesh of meshes) {
    mesh.geometry.dispose();
    mesh.material.dispose();
  }
  return texture;
}
