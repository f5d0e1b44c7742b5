import { CLIENT_CHANGES } from './clients.ts';
import type { ManualChange } from './manual-change.ts';
import { REALM_CHANGES } from './realm.ts';
import { RIGHTS_CHANGES } from './rights.ts';

/** They are independent of each other. */
export const MANUAL_CHANGES: readonly ManualChange[] = [...REALM_CHANGES, ...CLIENT_CHANGES, ...RIGHTS_CHANGES];
