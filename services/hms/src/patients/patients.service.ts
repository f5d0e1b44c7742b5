/** Rules of patients. Built on one request's transaction. Functions that decide get the time as an argument. */

import {
  demandRoleForDeleted,
  demandVersion,
  fields,
  invalidFields,
  Problem,
  paged,
  type Reply,
  type RequestContext,
  takeNumber,
} from '@hms/service';
import type { Knex } from 'knex';
import { ownFamilyRepository } from './own-family.repository.ts';
import { PATIENT_DUPLICATE, PATIENT_NOT_FOUND } from './patients.errors.ts';
import { type PatientRow, patientRepository, toPatient } from './patients.repository.ts';
import type { NewPatient, Patient, PatientChanges, PatientQuery } from './patients.schema.ts';

type Who = Pick<RequestContext, 'caller' | 'hospital'>;

export function patientService(trx: Knex.Transaction, { caller, hospital }: Who, now: () => Date = () => new Date()) {
  const patients = patientRepository(trx, caller.sub);
  const families = ownFamilyRepository(trx, caller.sub);

  async function read(id: string): Promise<Patient> {
    return toPatient(present(await patients.find(id)));
  }

  return {
    read,

    async list(query: PatientQuery): Promise<Reply<Patient[]>> {
      demandRoleForDeleted(caller, query);
      return paged(await patients.list(query, hospital.timezone), toPatient);
    },

    /** Creates the patient, and the family in which they are the only member and the primary contact. */
    async create(patient: NewPatient): Promise<Patient> {
      requireBorn(patient.dateOfBirth, hospital.timezone, now());
      // First: creations are serialised here, so no duplicate can be created in between.
      const patientCode = await takeNumber(trx, 'patient', 'HSP');
      if (patient.rejectDuplicates) {
        const candidates = await patients.lookAlikes(patient);
        if (candidates.length > 0) {
          throw new Problem(PATIENT_DUPLICATE, { details: { candidates: candidates.map(toPatient) } });
        }
      }
      const id = await patients.insert(patientCode, patient);
      await families.create(await takeNumber(trx, 'family', 'FAM'), patient.lastName, id);
      return read(id);
    },

    async update(id: string, changes: PatientChanges): Promise<Patient> {
      if (changes.dateOfBirth !== undefined) requireBorn(changes.dateOfBirth, hospital.timezone, now());
      const before = present(await patients.lock(id));
      demandVersion(before, changes.version);
      await patients.update(id, changes);
      return read(id);
    },

    /** Soft-deletes the patient, who leaves the family. A family without other members is closed. */
    async remove(id: string): Promise<Patient> {
      const before = present(await patients.lock(id));
      if (before.family_id) await families.leave(before.family_id, id);
      await patients.softDelete(id);
      const after = await patients.find(id);
      return toPatient(after ?? before);
    },
  };
}

function present(row: PatientRow | undefined): PatientRow {
  if (!row || row.deleted_at) throw new Problem(PATIENT_NOT_FOUND);
  return row;
}

const OLDEST = '1850-01-01';

/** A day of birth must not be after today in the hospital's time zone. */
function requireBorn(dateOfBirth: string, timezone: string, now: Date): void {
  const message =
    dateOfBirth > fields.today(timezone, now)
      ? 'must not be in the future'
      : dateOfBirth < OLDEST
        ? `must not be before ${OLDEST}`
        : undefined;
  if (message) throw invalidFields([{ field: 'dateOfBirth', in: 'body', message }]);
}
