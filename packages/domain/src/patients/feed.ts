/** Patients in the order of their last change. */
import { build } from '@hms/database';
import type { Feed } from '@hms/service';
import { FULL_NAME } from './names.ts';

export const patientFeed: Feed<'code' | 'name' | 'searched' | 'phone' | 'birthDate'> = {
  rows: () => build.from('patients').whereNull('deleted_at'),
  id: 'id',
  changedAt: 'updated_at',
  fields: {
    code: 'patient_code',
    name: FULL_NAME,
    searched: 'search',
    phone: 'phone',
    birthDate: 'date_of_birth',
  },
};
