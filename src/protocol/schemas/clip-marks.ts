import { type Static, Type } from 'typebox';
import { CHECK_KINDS, type CheckKind } from '../check-kinds.ts';
import { oneOf, strictBody } from '../route.ts';

/** Maximum weight of a clip. */
const MAX_WEIGHT = 1e6;
/** Maximum number of tags and of ignored issues of a clip. */
export const MAX_TAGS = 32;
export const MAX_IGNORED = 64;

export const Weight = Type.Number({
  minimum: 0,
  maximum: MAX_WEIGHT,
  description: 'Multiplies the chance that an episode of a training starts in the clip; 1 by default',
});

export const Tags = Type.Array(
  Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: '^[\\p{L}\\p{N}_][\\p{L}\\p{N} ._()+=@-]*$',
    description: 'Letters, digits, spaces and . _ ( ) + = @ -, beginning with a letter, digit or underscore',
  }),
  { maxItems: MAX_TAGS, description: 'Labels that listings can be filtered by' },
);

export const IgnoredIssue = Type.Object(
  {
    kind: oneOf(Object.keys(CHECK_KINDS) as CheckKind[]),
    body: Type.Optional(
      Type.String({ minLength: 1, maxLength: 256, description: 'Body or joint of the issue. Absent: any' }),
    ),
  },
  { additionalProperties: false },
);
export type IgnoredIssue = Static<typeof IgnoredIssue>;

export const Ignored = Type.Array(IgnoredIssue, {
  maxItems: MAX_IGNORED,
  description: 'Issues that are shown as ignored and not counted',
});

/** Entries that a change adds to or removes from the lists of marks. */
export const MarkEntries = strictBody({ tags: Type.Optional(Tags), ignore: Type.Optional(Ignored) });
export type MarkEntries = Static<typeof MarkEntries>;
