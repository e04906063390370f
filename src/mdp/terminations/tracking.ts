import { gravityZ, squaredDistance, squaredNorm } from '../../core/math/rows.ts';
import type { ParamSchema, TerminationTerm } from '../term.ts';
import { BODY_NAMES, TermParams } from '../term-params.ts';

// Too far from the reference. Formulas: wbc_mjlab.env.mdp.terminations; the same in whole_body_tracking.

const threshold = (value: number, unit: string, of: string): Readonly<Record<string, ParamSchema>> => ({
  threshold: { type: 'number', default: value, minimum: 0, ...(unit ? { unit } : {}), description: `largest ${of}` },
});

const ANCHOR_HEIGHT = threshold(0.25, 'm', 'difference in height');
export const badAnchorPosZOnly: TerminationTerm = {
  description: 'the anchor is too high or too low: |z_refa − z_a| > threshold',
  unit: 'm',
  params: ANCHOR_HEIGHT,
  make({ state, indices }, given) {
    const most = new TermParams(ANCHOR_HEIGHT, given).number('threshold');
    return (env) => {
      const z = 3 * (env * state.bodies + indices.anchor) + 2;
      return Math.abs(state.refBodyPosW[z]! - state.bodyPosW[z]!) > most;
    };
  },
};

const ANCHOR_DISTANCE = threshold(0.5, 'm', 'distance');
export const badAnchorPos: TerminationTerm = {
  description: 'the anchor is too far off: |p_refa − p_a| > threshold',
  unit: 'm',
  params: ANCHOR_DISTANCE,
  make({ state, indices }, given) {
    const most = new TermParams(ANCHOR_DISTANCE, given).number('threshold');
    return (env) => {
      const anchor = 3 * (env * state.bodies + indices.anchor);
      return Math.sqrt(squaredDistance(state.refBodyPosW, anchor, state.bodyPosW, anchor)) > most;
    };
  },
};

const ANCHOR_TILT = threshold(0.8, '', "difference of the directions' z, 0 to 2");
export const badAnchorOri: TerminationTerm = {
  description:
    "the anchor is tilted too far: |g_refa.z − g_a.z| > threshold, g gravity's direction in the anchor's frame",
  unit: '1',
  params: ANCHOR_TILT,
  make({ state, indices }, given) {
    const most = new TermParams(ANCHOR_TILT, given).number('threshold');
    return (env) => {
      const anchor = 4 * (env * state.bodies + indices.anchor);
      return Math.abs(gravityZ(state.refBodyQuatW, anchor) - gravityZ(state.bodyQuatW, anchor)) > most;
    };
  },
};

const BODY_HEIGHT = { ...threshold(0.25, 'm', 'difference in height'), body_names: BODY_NAMES };
export const badMotionBodyPosZOnly: TerminationTerm = {
  description: 'a keybody is too high or too low: |p_rel.z − p.z| > threshold for any of body_names',
  unit: 'm',
  params: BODY_HEIGHT,
  make(context, given) {
    const { state, indices } = context;
    const params = new TermParams(BODY_HEIGHT, given);
    const most = params.number('threshold');
    const places = params.keybodies(context);
    const count = indices.keybodies.length;
    return (env) => {
      for (let i = 0; i < places.length; i++) {
        const k = places[i]!;
        const z = state.bodyPosW[3 * (env * state.bodies + indices.keybodies[k]!) + 2]!;
        if (Math.abs(state.relBodyPosW[3 * (env * count + k) + 2]! - z) > most) return true;
      }
      return false;
    };
  },
};

const BODY_DISTANCE = { ...threshold(0.25, 'm', 'distance'), body_names: BODY_NAMES };
export const badMotionBodyPos: TerminationTerm = {
  description: 'a keybody is too far off: |p_rel − p| > threshold for any of body_names',
  unit: 'm',
  params: BODY_DISTANCE,
  make(context, given) {
    const { state, indices } = context;
    const params = new TermParams(BODY_DISTANCE, given);
    const most = params.number('threshold');
    const places = params.keybodies(context);
    const count = indices.keybodies.length;
    return (env) => {
      for (let i = 0; i < places.length; i++) {
        const k = places[i]!;
        const body = 3 * (env * state.bodies + indices.keybodies[k]!);
        if (Math.sqrt(squaredDistance(state.relBodyPosW, 3 * (env * count + k), state.bodyPosW, body)) > most)
          return true;
      }
      return false;
    };
  },
};

const force = (value: number): Readonly<Record<string, ParamSchema>> => ({
  force_threshold: { type: 'number', default: value, minimum: 0, unit: 'N', description: 'largest net force' },
  body_names: BODY_NAMES,
});

const contact = (value: number): TerminationTerm => {
  const schema = force(value);
  return {
    description: 'a keybody is pressed against the ground too hard: |F| > force_threshold for any of body_names',
    unit: 'N',
    params: schema,
    make(context, given) {
      const { state, indices } = context;
      const params = new TermParams(schema, given);
      const most = params.number('force_threshold');
      const places = params.keybodies(context);
      const count = indices.keybodies.length;
      return (env) => {
        for (let i = 0; i < places.length; i++)
          if (Math.sqrt(squaredNorm(state.contactForce, 3 * (env * count + places[i]!))) > most) return true;
        return false;
      };
    },
  };
};

export const excessiveContactForce = contact(10);
export const excessiveKeybodyGroundContactForce = contact(2000);
