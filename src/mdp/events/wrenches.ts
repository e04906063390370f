import { bodyNamed, TermParams } from '../term-params.ts';
import type { EventTerm } from './event-term.ts';

/** F := U(force_range) and τ := U(torque_range) per axis on one body, until the next draw. Source:
 *  apply_external_force_torque of mjlab. */
export const externalWrench: EventTerm = {
  description: 'applies a uniformly drawn force and torque to a body, world axes, until the next draw',
  modes: ['interval', 'reset'],
  params: {
    body_name: { type: 'string', default: '', description: 'body by name; empty: the anchor' },
    force_range: { type: 'vector', default: [0, 0], unit: 'N', description: 'lowest and highest force along an axis' },
    torque_range: {
      type: 'vector',
      default: [0, 0],
      unit: 'Nm',
      description: 'lowest and highest torque about an axis',
    },
  },
  make(context, given) {
    const params = new TermParams(this.params, given);
    const name = params.string('body_name');
    const force = params.vector('force_range', 2);
    const torque = params.vector('torque_range', 2);
    const { values } = context.physics.wrenchOn(name === '' ? context.indices.anchor : bodyNamed(context, name));
    const { random } = context;
    return (env) => {
      for (let axis = 0; axis < 6; axis++) {
        const [least, most] = axis < 3 ? force : torque;
        values[6 * env + axis] = random.uniform(env, least!, most!);
      }
      return false;
    };
  },
};
