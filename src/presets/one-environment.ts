import { badInput } from '../core/errors.ts';
import { createState } from '../mdp/env/state-arrays.ts';
import type { TaskConfig } from '../mdp/task-config.ts';
import type { TermContext } from '../mdp/term.ts';

type Facts = TermContext['facts'];

/** Creates the context of a task's terms for one environment that is never stepped. When terms are created, they report
 *  their dimensions and refuse parameters that do not fit the robot.
 *  @throws bad_input for a body that the robot does not have */
export function oneEnvironment(facts: Facts, config: TaskConfig): TermContext {
  const { anchor_body, body_names, ee_body_names } = config.commands.motion;
  const places = new Map(facts.bodies.map(({ name }, index) => [name, index]));
  const placeOf = (name: string, field: string): number => {
    const place = places.get(name);
    if (place === undefined)
      throw badInput(`commands.motion.${field}: ${facts.name} has no body ${JSON.stringify(name)}`);
    return place;
  };
  const ofJoints = (value: (joint: Facts['joints'][number]) => number) => Float64Array.from(facts.joints, value);
  const soft = (sign: -1 | 1) =>
    ofJoints(({ lower, upper }) =>
      lower === null || upper === null ? sign * Infinity : (lower + upper) / 2 + sign * 0.45 * (upper - lower),
    );
  const stepS = config.decimation * config.sim.timestep;
  return {
    state: createState({
      n: 1,
      joints: facts.joints.length,
      bodies: facts.bodies.length,
      keybodies: body_names.length,
      feet: facts.wiring.feet.length,
    }),
    facts,
    indices: {
      anchor: placeOf(anchor_body, 'anchor_body'),
      keybodies: body_names.map((name) => placeOf(name, 'body_names')),
      endEffectors: ee_body_names.map((name) => placeOf(name, 'ee_body_names')),
      feet: facts.wiring.feet.map((name) => placeOf(name, 'body_names')),
    },
    stepS,
    maxEpisodeSteps: Math.max(1, Math.round(config.episode_length_s / stepS)),
    defaultJointPos: ofJoints((joint) => joint.default),
    effortLimit: ofJoints((joint) => joint.effortLimit ?? Infinity),
    softLower: soft(-1),
    softUpper: soft(1),
    soleDown: facts.wiring.feet.map(() => [0, 0, -1]),
    referenceAnchorAcceleration: (_env, out) => void out.fill(0),
    clipPhase: () => 0,
    lastReward: () => 0,
    keybody(name) {
      const place = body_names.indexOf(name);
      if (place < 0) throw badInput(`params.body_names: ${JSON.stringify(name)} is not in commands.motion.body_names`);
      return place;
    },
  };
}
