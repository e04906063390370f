import type { Wiring } from '../../../../src/protocol/schemas/robots.ts';

/** Adds a body to the key bodies or removes it. @param order bodies of the model; key bodies keep this order */
export function toggleKeybody(wiring: Wiring, body: string, order: readonly string[]): Wiring {
  const others = wiring.keybodies.filter((name) => name !== body);
  if (others.length < wiring.keybodies.length) return { ...wiring, keybodies: others };
  const all = new Set([...others, body]);
  return { ...wiring, keybodies: order.filter((name) => all.has(name)) };
}

/** Sets the body of a foot. A body that already is another foot swaps places with this foot's body.
 *  @param place 0 is the left foot @param body null removes the foot */
export function setFoot(wiring: Wiring, place: number, body: string | null): Wiring {
  const feet: (string | undefined)[] = [...wiring.feet];
  const former = body === null ? -1 : feet.indexOf(body);
  if (former >= 0) feet[former] = feet[place];
  feet[place] = body ?? undefined;
  return { ...wiring, feet: feet.filter((name) => name !== undefined) };
}

const SIDES = ['left foot', 'right foot'] as const;

/** Name of a foot: left or right if there are at most two, else numbered. @param n number of feet */
export function footName(place: number, n: number): string {
  return n <= 2 ? (SIDES[place] ?? `foot ${place + 1}`) : `foot ${place + 1}`;
}
