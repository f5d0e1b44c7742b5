import { readNewestUsage, readUsageDays, type UsageFigures } from '@hms/database';
import { fields, type Route, route } from '@hms/service';
import type { Knex } from 'knex';
import { z } from 'zod';
import { CLUSTER_UNAVAILABLE, HOSPITAL_NOT_FOUND } from '../cluster/problems.ts';
import { hospitalParams } from './hospitals.schema.ts';
import type { HospitalService } from './hospitals.service.ts';

/** Days that are shown. */
const DAYS = 30;

const figures = z
  .object({
    people: z.int().describe('Employees who can log in and have done so'),
    patients: z.int().describe('Without those who are deleted or merged into another one'),
    rows: z.int().describe('Of all tables of the hospital. Those of large tables are estimated'),
    recordBytes: z.int().describe('Of all tables and indexes of the hospital'),
    files: z.int(),
    fileBytes: z.int().describe('Without former versions'),
  })
  .meta({ id: 'UsageFigures' });

const usage = z
  .object({
    asOf: fields.timestamp.nullable().describe('When the figures were counted. Null: not yet'),
    figures: figures.nullable().describe('The newest ones'),
    days: z
      .array(
        z.object({
          day: z.string().describe('In UTC, `YYYY-MM-DD`'),
          requests: z.int().describe('With a token of the hospital. A process adds them up once a minute'),
          failed: z.int().describe('Those of them that were answered with a status of 500 or more'),
          figures: figures.nullable().describe('Null if the hospital was not counted on that day'),
        }),
      )
      .describe(`The last ${DAYS} days, the oldest first`),
  })
  .meta({ id: 'HospitalUsage' });

interface Dependencies {
  readonly service: HospitalService;
  readonly db: Knex;
}

export function usageRoute({ service, db }: Dependencies): Route {
  return route({
    method: 'GET',
    path: '/api/console/hospitals/:hospital/usage',
    operationId: 'readHospitalUsage',
    summary: 'How large a hospital is, and how much it is used',
    description: 'An active hospital is counted once a day. Requests are added up once a minute.',
    access: 'hospitals.read',
    database: 'none',
    params: hospitalParams,
    response: usage,
    errors: [HOSPITAL_NOT_FOUND, CLUSTER_UNAVAILABLE],
    handler: async (context) => {
      // One that is not registered yet has been neither counted nor used.
      const id = service.find(context.params.hospital).status?.hospitalId ?? NOBODY;
      const [newest, days] = await Promise.all([readNewestUsage(db, id), readUsageDays(db, id, DAYS)]);
      return {
        data: {
          asOf: newest?.countedAt.toISOString() ?? null,
          figures: newest && shown(newest),
          days: days.map((day) => ({ ...day, figures: day.figures && shown(day.figures) })),
        },
      };
    },
  });
}

const NOBODY = '00000000-0000-0000-0000-000000000000';

function shown({ people, patients, rows, recordBytes, files, fileBytes }: UsageFigures): UsageFigures {
  return { people, patients, rows, recordBytes, files, fileBytes };
}
