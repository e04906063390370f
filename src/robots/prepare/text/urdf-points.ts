import { listed } from './wording.ts';
import type { XmlElement } from './xml.ts';

/** Half extent given to a collision shape of size zero, m. */
const LEAST = 0.005;
const SIZES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  sphere: { radius: LEAST },
  cylinder: { radius: LEAST, length: 2 * LEAST },
  capsule: { radius: LEAST, length: 2 * LEAST },
};

/** Enlarges collision shapes of size zero, such as the points at the corners of a sole, because MuJoCo cannot use them.
 *  Removes visuals of size zero. @returns one sentence if there are any */
export function enlargePoints(root: XmlElement): string[] {
  const enlarged = new Set<string>();
  for (const link of root.children.filter(({ name }) => name === 'link')) {
    link.children = link.children.filter((shape) => {
      if (shape.name !== 'visual' && shape.name !== 'collision') return true;
      const geometry = shape.children.find(({ name }) => name === 'geometry');
      const flat = (geometry?.children ?? []).filter((one) => enlarge(one));
      if (flat.length > 0 && shape.name === 'collision') enlarged.add(link.attributes.get('name') ?? '');
      return flat.length === 0 || shape.name === 'collision';
    });
  }
  if (enlarged.size === 0) return [];
  return [`collision shapes of size zero were given a radius of ${1000 * LEAST} mm: ${listed([...enlarged])}`];
}

/** Enlarges a shape of size zero. @returns whether the shape had a size of zero */
function enlarge(shape: XmlElement): boolean {
  const { attributes } = shape;
  if (shape.name === 'box') {
    const size = (attributes.get('size') ?? '').trim().split(/\s+/).map(Number);
    if (size.length !== 3 || !size.includes(0)) return false;
    attributes.set('size', size.map((value) => (value === 0 ? 2 * LEAST : value)).join(' '));
    return true;
  }
  const flat = Object.entries(SIZES[shape.name] ?? {}).filter(
    ([key]) => Number(attributes.get(key) ?? Number.NaN) === 0,
  );
  for (const [key, least] of flat) attributes.set(key, String(least));
  return flat.length > 0;
}
