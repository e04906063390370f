import { gravityZ, squaredDistance, squaredNorm } from '../../core/math/rows.ts';
import type { EnvState } from '../env-state.ts';
import type { ParamSchema, TerminationTerm } from '../term.ts';
import { BODY_NAMES, TermParams } from '../term-params.ts';

// Terminations for robots far from the reference. Formulas: wbc_mjlab.env.mdp.terminations; whole_body_tracking has the
// same.

/** The parameter that limits an error: its name and schema. */
interface Bound {
  readonly name: 'threshold' | 'force_threshold';
  readonly schema: ParamSchema;
}

const threshold = (value: number, unit: string, of: string): Bound => ({
  name: 'threshold',
  schema: { type: 'number', default: value, minimum: 0, ...(unit ? { unit } : {}), description: `largest ${of}` },
});

/** @param error error of the anchor, in row `row` of the arrays of bodies */
const ofAnchor = (
  error: (state: EnvState, row: number) => number,
  { name, schema }: Bound,
  description: string,
): TerminationTerm => {
  const params = { [name]: schema };
  return {
    description,
    unit: schema.unit ?? '1',
    params,
    make({ state, indices }, given) {
      const most = new TermParams(params, given).number(name);
      return (env) => error(state, env * state.bodies + indices.anchor) > most;
    },
    explain({ state, indices }, given) {
      const limit = new TermParams(params, given).number(name);
      const body = indices.anchor;
      return (env) => ({ body, value: error(state, env * state.bodies + body), limit });
    },
  };
};

/** Ends the episode if the error of any of `body_names` is above the limit.
 *  @param error error of a keybody, in row `body` of the arrays of bodies and row `rel` of the arrays of keybodies */
const ofBodies = (
  error: (state: EnvState, body: number, rel: number) => number,
  { name, schema }: Bound,
  description: string,
): TerminationTerm => {
  const params = { [name]: schema, body_names: BODY_NAMES };
  return {
    description,
    unit: schema.unit ?? '1',
    params,
    make(context, given) {
      const { state, indices } = context;
      const own = new TermParams(params, given);
      const most = own.number(name);
      const places = own.keybodies(context);
      const count = indices.keybodies.length;
      return (env) => {
        for (let i = 0; i < places.length; i++) {
          const k = places[i]!;
          if (error(state, env * state.bodies + indices.keybodies[k]!, env * count + k) > most) return true;
        }
        return false;
      };
    },
    explain(context, given) {
      const { state, indices } = context;
      const own = new TermParams(params, given);
      const limit = own.number(name);
      const places = own.keybodies(context);
      const count = indices.keybodies.length;
      return (env) => {
        const errors = Array.from(places, (k) => ({
          body: indices.keybodies[k]!,
          value: error(state, env * state.bodies + indices.keybodies[k]!, env * count + k),
          limit,
        }));
        return errors.reduce((worst, each) => (each.value > worst.value ? each : worst));
      };
    },
  };
};

export const badAnchorPosZOnly = ofAnchor(
  ({ refBodyPosW, bodyPosW }, row) => Math.abs(refBodyPosW[3 * row + 2]! - bodyPosW[3 * row + 2]!),
  threshold(0.25, 'm', 'difference in height'),
  'the anchor is too high or too low: |z_refa − z_a| > threshold',
);

export const badAnchorPos = ofAnchor(
  ({ refBodyPosW, bodyPosW }, row) => Math.sqrt(squaredDistance(refBodyPosW, 3 * row, bodyPosW, 3 * row)),
  threshold(0.5, 'm', 'distance'),
  'the anchor is too far off: |p_refa − p_a| > threshold',
);

export const badAnchorOri = ofAnchor(
  ({ refBodyQuatW, bodyQuatW }, row) => Math.abs(gravityZ(refBodyQuatW, 4 * row) - gravityZ(bodyQuatW, 4 * row)),
  threshold(0.8, '', "difference of the directions' z, 0 to 2"),
  "the anchor is tilted too far: |g_refa.z − g_a.z| > threshold, g gravity's direction in the anchor's frame",
);

export const badMotionBodyPosZOnly = ofBodies(
  ({ relBodyPosW, bodyPosW }, body, rel) => Math.abs(relBodyPosW[3 * rel + 2]! - bodyPosW[3 * body + 2]!),
  threshold(0.25, 'm', 'difference in height'),
  'a key body is too high or too low: |p_rel.z − p.z| > threshold for any of body_names',
);

export const badMotionBodyPos = ofBodies(
  ({ relBodyPosW, bodyPosW }, body, rel) => Math.sqrt(squaredDistance(relBodyPosW, 3 * rel, bodyPosW, 3 * body)),
  threshold(0.25, 'm', 'distance'),
  'a key body is too far off: |p_rel − p| > threshold for any of body_names',
);

/** @param value default limit, N */
const contact = (value: number): TerminationTerm =>
  ofBodies(
    ({ contactForce }, _body, rel) => Math.sqrt(squaredNorm(contactForce, 3 * rel)),
    {
      name: 'force_threshold',
      schema: { type: 'number', default: value, minimum: 0, unit: 'N', description: 'largest net force' },
    },
    'a key body is pressed against the ground too hard: |F| > force_threshold for any of body_names',
  );

export const excessiveContactForce = contact(10);
export const excessiveKeybodyGroundContactForce = contact(2000);
