import { callBytes } from '../../net/api.ts';
import { ComparedRecords } from './compared-records.ts';
import { frozen } from './record-store.ts';
import { sessions } from './session-store.ts';

/** Records of the compared environments, for the plots. */
export const compared = new ComparedRecords({ callBytes, sessions, frozen, isHidden: () => document.hidden });
