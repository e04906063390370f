import type { MjData, MjModel } from './mujoco.ts';

/** One point of contact. */
export interface BodyContact {
  /** model indices; the world is 0 */
  readonly bodies: readonly [number, number];
  /** m, positive where the two overlap */
  readonly depth: number;
}

/** The contacts of a state, with the bodies they lie between. */
export function bodyContacts(model: MjModel, data: MjData): BodyContact[] {
  if (data.ncon === 0) return [];
  const contacts = data.contact; // a fresh copy on every read
  try {
    return Array.from({ length: data.ncon }, (_, k) => {
      const { geom1, geom2, dist } = readContact(contacts, k);
      return { bodies: [bodyOf(model, geom1), bodyOf(model, geom2)], depth: -dist };
    });
  } finally {
    contacts.delete();
  }
}

function readContact(contacts: MjData['contact'], index: number) {
  const contact = contacts.get(index)!;
  const { geom1, geom2, dist } = contact as { geom1: number; geom2: number; dist: number };
  contact.delete();
  return { geom1, geom2, dist };
}

function bodyOf(model: MjModel, geom: number): number {
  return geom < 0 ? 0 : model.geom_bodyid[geom];
}
