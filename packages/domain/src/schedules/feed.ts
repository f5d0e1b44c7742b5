/** Schedules in the order of their last change. */
import { build } from '@hms/database';
import type { Feed } from '@hms/service';

export const scheduleFeed: Feed<'doctor' | 'clinic' | 'validFrom'> = {
  rows: () => build.from('schedules').whereNull('deleted_at'),
  id: 'id',
  changedAt: 'updated_at',
  fields: { doctor: 'doctor_id', clinic: 'clinic_id', validFrom: 'valid_from' },
};
