import { type Static, Type } from 'typebox';
import { oneOf } from '../route.ts';

/** One line of the service's log. */
export const LogLine = Type.Object(
  {
    time: Type.String({ description: 'ISO-8601 UTC' }),
    level: oneOf(['debug', 'info', 'warn', 'error']),
    source: oneOf(['service', 'gateway', 'robots', 'data', 'jobs', 'play', 'presets']),
    message: Type.String(),
    seq: Type.Integer({ minimum: 1, description: 'Number of the line since the service started' }),
  },
  { description: "One line of the service's log" },
);
export type LogLine = Static<typeof LogLine>;
