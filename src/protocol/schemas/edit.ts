import { type Static, Type } from 'typebox';
import { oneOf, strictBody } from '../route.ts';

/** Maximum duration of a blend, and of standing before or after a clip, s. */
const LONGEST_BLEND_S = 30;

const on = (description: string) => Type.Optional(Type.Literal(true, { description }));
const blend = (description: string) =>
  Type.Number({ exclusiveMinimum: 0, maximum: LONGEST_BLEND_S, description: `s; ${description}` });

/** One step of an edit: an object with exactly one of these fields. */
export const EditStep = Type.Object(
  {
    trim: Type.Optional(
      strictBody({
        from_s: Type.Number({ minimum: 0, description: 'Start, s; the first frame is ⌊from_s·fps⌋' }),
        to_s: Type.Number({ minimum: 0, description: 'End, s; the last frame is ⌊to_s·fps⌋' }),
      }),
    ),
    split: Type.Optional(
      strictBody({
        every_s: Type.Optional(Type.Number({ minimum: 1, description: 'Length of a part, s' })),
        overlap_s: Type.Optional(Type.Number({ minimum: 0, default: 0, description: 'Overlap of two parts, s' })),
        at: Type.Optional(oneOf(['pauses'], { description: 'Splits in the middle of every pause' })),
      }),
    ),
    append: Type.Optional(
      strictBody({
        clip: Type.String({ minLength: 1, description: 'Name of a clip of the dataset' }),
        blend_s: Type.Number({
          minimum: 0,
          maximum: LONGEST_BLEND_S,
          description: 'Time in which both clips are blended, s. The second clip is aligned in heading and position',
        }),
      }),
    ),
    loop: Type.Optional(strictBody({ blend_s: blend('the end of the clip is blended into its start') })),
    stand_in: Type.Optional(blend('the clip begins in the default pose')),
    stand_out: Type.Optional(blend('the clip ends in the default pose')),
    speed: Type.Optional(Type.Number({ minimum: 0.1, maximum: 10, description: 'Factor: 2 is twice as fast' })),
    smooth: Type.Optional(
      strictBody({
        cutoff_hz: Type.Number({ minimum: 0.1, maximum: 1000, description: 'Hz, below half of the frame rate' }),
      }),
    ),
    mirror: on('Exchanges left and right'),
    floor: on('Moves the clip so that its lowest sole is on the floor'),
    origin: on('Moves the clip so that it starts at x = y = 0 with heading 0'),
  },
  {
    additionalProperties: false,
    description: 'Exactly one field. Steps are applied in order; those after a split apply to each part',
  },
);
export type EditStep = Static<typeof EditStep>;

/** The steps of an edit, in order. */
export const EditSteps = Type.Array(EditStep, { minItems: 1, maxItems: 64 });
