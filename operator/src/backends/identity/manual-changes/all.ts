import { CLIENT_CHANGES } from './clients.ts';
import type { ManualChange } from './manual-change.ts';
import { REALM_CHANGES } from './realm.ts';
import { RIGHTS_CHANGES } from './rights.ts';

/** Each of them leaves the others as they are. */
export const MANUAL_CHANGES: readonly ManualChange[] = [...REALM_CHANGES, ...CLIENT_CHANGES, ...RIGHTS_CHANGES];
