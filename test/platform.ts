import fs from 'node:fs';
import type { PlatformState } from '@hms/local';

/** The platform that the global setup has started: its current addresses, accounts and processes. */
export function platform(): PlatformState {
  const file = process.env.HMS_TEST_STATE;
  if (!file)
    throw new Error('HMS_TEST_STATE is not set: run these tests with npm test, whose global setup starts the platform');
  return JSON.parse(fs.readFileSync(file, 'utf8')) as PlatformState;
}
