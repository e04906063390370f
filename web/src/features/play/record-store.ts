import { callBytes } from '../../net/api.ts';
import { SessionRecord } from './session-record.ts';
import { sessions } from './session-store.ts';

export type { RecordView } from './record-ring.ts';

/** The record of the focused environment of the play session, as read by this page. */
export const {
  recordError,
  frozen,
  record,
  recordRow,
  useRecord,
  useOften,
  holdAt,
  freeze,
  backToLive,
  moveBy,
  moveSeconds,
  moveToEvent,
  watchRow,
} = new SessionRecord({ callBytes, sessions, isHidden: () => document.hidden });
