import { BufferAttribute, BufferGeometry } from 'three';
import type { Shape } from './geometry/primitives.ts';

/** A shape as three.js draws it. */
export function shapeGeometry({ positions, normals, indices }: Shape): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new BufferAttribute(normals, 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  return geometry;
}
