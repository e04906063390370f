import { type Static, Type } from 'typebox';
import { CLIENT_ROLES } from '../events.ts';
import { oneOf } from '../route.ts';

/** A connected websocket. */
export const Client = Type.Object(
  {
    id: Type.String({ description: 'Sent to the client in its first event. Its requests name it in `X-Client-Id`' }),
    role: oneOf(CLIENT_ROLES, { description: '`view`: connected with the view token, may only read' }),
    since: Type.String({ description: 'Start of the connection, ISO-8601 UTC' }),
    rate: Type.Number({ description: 'Frames sent in the last second, 1/s' }),
    skipped: Type.Integer({ description: 'Frames that a newer one replaced because the client was not ready' }),
    you: Type.Boolean({ description: 'Whether `X-Client-Id` of this request names this client' }),
  },
  { description: 'A connected websocket' },
);
export type Client = Static<typeof Client>;
