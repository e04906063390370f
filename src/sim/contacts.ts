import { StudioError } from '../core/errors.ts';
import { type MainModule, type MjData, type MjModel, mujocoMessage } from './mujoco.ts';

/** One contact point between two bodies. */
export interface BodyContact {
  /** model indices of the bodies; the world is 0 */
  readonly bodies: readonly [number, number];
  /** penetration depth, m; positive if the bodies overlap */
  readonly depth: number;
}

/** Computes the contacts of a pose. @param data state after mj_kinematics; reset if this throws @throws bad_input if
 *  there are more contacts than fit in MuJoCo's arena */
export function findContacts(mj: MainModule, model: MjModel, data: MjData): BodyContact[] {
  try {
    mj.mj_collision(model, data);
  } catch (cause) {
    const count: number = data.ncon;
    // MuJoCo has computed only a part of the data.
    mj.mj_resetData(model, data);
    throw new StudioError(
      'bad_input',
      `the collision shapes of the model touch at more than ${count} points, which is too many to compute ` +
        `(${mujocoMessage(cause)}). Remove shapes that overlap, or exclude them from contact.`,
      { cause },
    );
  }
  return bodyContacts(model, data);
}

/** Reads the contacts of a state and the two bodies of each. MuJoCo's accessor copies all contacts, so its heap may
 *  grow and detach views taken before. */
export function bodyContacts(model: MjModel, data: MjData): BodyContact[] {
  const count: number = data.ncon;
  if (count === 0) return [];
  const contacts = data.contact; // MuJoCo creates a new copy at every read
  const bodies = bodiesOfGeoms(model);
  try {
    return Array.from({ length: count }, (_, k) => {
      const { geom1, geom2, dist } = readContact(contacts, k);
      return { bodies: [bodyOf(bodies, geom1), bodyOf(bodies, geom2)], depth: -dist };
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

function bodyOf(bodies: Int32Array, geom: number): number {
  return geom < 0 ? 0 : bodies[geom]!;
}

/** Body index of each geom, cached by model. The arrays are copies, because views are detached when the heap grows. */
const geomBodies = new WeakMap<MjModel, Int32Array>();

function bodiesOfGeoms(model: MjModel): Int32Array {
  let bodies = geomBodies.get(model);
  if (!bodies) {
    bodies = Int32Array.from(model.geom_bodyid as Int32Array);
    geomBodies.set(model, bodies);
  }
  return bodies;
}
