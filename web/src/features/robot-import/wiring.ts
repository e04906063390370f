import type { Wiring } from '../../../../src/protocol/schemas/robots.ts';

/** Adds a body to the key bodies, or takes it away. @param order the model's bodies: key bodies stay in their order */
export function toggleKeybody(wiring: Wiring, body: string, order: readonly string[]): Wiring {
  const others = wiring.keybodies.filter((name) => name !== body);
  if (others.length < wiring.keybodies.length) return { ...wiring, keybodies: others };
  const all = new Set([...others, body]);
  return { ...wiring, keybodies: order.filter((name) => all.has(name)) };
}

/** Puts a body at a place among the feet. A body that was another foot changes places with the one that was there.
 *  @param place 0 is the left foot @param body null takes the foot away */
export function setFoot(wiring: Wiring, place: number, body: string | null): Wiring {
  const feet: (string | undefined)[] = [...wiring.feet];
  const former = body === null ? -1 : feet.indexOf(body);
  if (former >= 0) feet[former] = feet[place];
  feet[place] = body ?? undefined;
  return { ...wiring, feet: feet.filter((name) => name !== undefined) };
}

const SIDES = ['left foot', 'right foot'] as const;

/** What a foot is called: of two, left and right; else by number. @param n feet there are, or will be */
export function footName(place: number, n: number): string {
  return n <= 2 ? (SIDES[place] ?? `foot ${place + 1}`) : `foot ${place + 1}`;
}
