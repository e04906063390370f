import { type Static, Type } from 'typebox';
import { METRIC_NAMES } from '../evaluation-metrics.ts';
import { oneOf } from '../route.ts';

/** The difference of one metric between two policies over the same episodes. */
export const Difference = Type.Object({
  metric: oneOf(METRIC_NAMES, { description: 'Path in the summary' }),
  condition: Type.String(),
  a: Type.Number({ description: 'Value of `a`' }),
  b: Type.Number({ description: 'Value of `b`' }),
  mean: Type.Number({ description: 'b − a over all episodes' }),
  low: Type.Number({ description: 'Lower bound of the 95 % interval of b − a' }),
  high: Type.Number({ description: 'Upper bound of the 95 % interval of b − a' }),
});
export type Difference = Static<typeof Difference>;
