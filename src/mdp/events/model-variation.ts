import { offsetFactors } from '../env/joint-offsets.ts';
import { bodyNamed, TermParams } from '../term-params.ts';
import type { EventTerm } from './event-term.ts';

/** c_body := c_body + U(x, y, z), in the body's frame. Source: body_com_offset of mjlab. */
export const bodyComOffset: EventTerm = {
  description: "shifts a body's centre of mass by uniform random offsets, in the body's frame",
  modes: ['startup', 'reset'],
  params: {
    body_name: { type: 'string', default: '', description: 'body by name; empty: the anchor' },
    x: { type: 'vector', default: [-0.025, 0.025], unit: 'm', description: 'lowest and highest offset along x' },
    y: { type: 'vector', default: [-0.05, 0.05], unit: 'm', description: 'lowest and highest offset along y' },
    z: { type: 'vector', default: [-0.05, 0.05], unit: 'm', description: 'lowest and highest offset along z' },
  },
  make(context, given) {
    const params = new TermParams(this.params, given);
    const name = params.string('body_name');
    const body = 1 + (name === '' ? context.indices.anchor : bodyNamed(context, name));
    const ranges = [params.vector('x', 2), params.vector('y', 2), params.vector('z', 2)];
    const { physics, random } = context;
    const { model } = physics;
    const own = Array.from(model.body_ipos.slice(3 * body, 3 * body + 3) as Float64Array);
    const values = physics.vary('bodyIpos', [3 * body, 3 * body + 1, 3 * body + 2]);
    // MuJoCo uses a simplification for bodies whose centre of mass is at their origin. It no longer applies to this
    // body.
    model.body_sameframe[body] = 0;
    model.body_simple[body] = 0;
    const firstDof = model.body_dofadr[body] as number;
    for (let dof = 0; dof < model.body_dofnum[body]; dof++) model.dof_simplenum[firstDof + dof] = 0;
    return (env) => {
      for (let axis = 0; axis < 3; axis++)
        values[3 * env + axis] = own[axis]! + random.uniform(env, ranges[axis]![0]!, ranges[axis]![1]!);
      return false;
    };
  },
};

/** μ := U(ranges), one draw for all geoms of the feet. Source: geom_friction of mjlab with `shared_random`. */
export const footFriction: EventTerm = {
  description: 'sets the sliding friction of all foot geoms to one uniform random value',
  modes: ['startup', 'reset'],
  params: {
    ranges: { type: 'vector', default: [0.3, 1.5], description: 'lowest and highest coefficient' },
  },
  make({ physics, indices, random }, given) {
    const [least, most] = new TermParams(this.params, given).vector('ranges', 2);
    const { model } = physics;
    const feet = new Set(indices.feet.map((body) => body + 1));
    const geoms = Array.from(model.geom_bodyid as Int32Array, (body, geom) => ({ body, geom }))
      .filter(({ body }) => feet.has(body))
      .map(({ geom }) => 3 * geom);
    const values = physics.vary('geomFriction', geoms);
    return (env) => {
      const friction = random.uniform(env, least!, most!);
      values.fill(friction, env * geoms.length, (env + 1) * geoms.length);
      return false;
    };
  },
};

/** Encoders read q + b with b := U(bias_range) per joint. The joints are therefore driven to positions that are too low
 *  by b. Source: encoder_bias of mjlab. */
export const encoderBias: EventTerm = {
  description: 'gives every joint encoder a constant error, which shifts the targets of the joint',
  modes: ['startup', 'reset'],
  params: {
    bias_range: {
      type: 'vector',
      default: [-0.01, 0.01],
      unit: 'rad',
      description: 'lowest and highest error; of a slide, at most 5 % of its range',
    },
  },
  make({ action, state, facts, random }, given) {
    const [least, most] = new TermParams(this.params, given).vector('bias_range', 2);
    const factors = offsetFactors(facts.joints, [least!, most!]);
    return (env) => {
      for (let j = 0, at = env * state.joints; j < state.joints; j++, at++)
        action.encoderBias[at] = factors[j]! * random.uniform(env, least!, most!);
      return false;
    };
  },
};
