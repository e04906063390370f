import { BufferAttribute, BufferGeometry } from 'three';
import type { Shape } from './geometry/primitives.ts';

/** Converts a shape to a three.js geometry. */
export function shapeGeometry({ positions, normals, indices }: Shape): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new BufferAttribute(normals, 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  return geometry;
}
