/** What the hospital tells everybody who waits, on its displays: the table `notices`. */
import { type ErrorKind, fields, record, today, type Work } from '@hms/service';

const NOTICE_DAYS: ErrorKind = {
  status: 422,
  code: 'NOTICE_DAYS',
  message: 'validTo must not be before validFrom',
  field: 'validTo',
};

export const notices = record('notices', {
  name: 'notice',
  fields: {
    text: fields.line(200).describe('As displays show it'),
    validFrom: fields.day.nullish().describe('The first day. Null: from now on'),
    validTo: fields.day.nullish().describe('The last day. Null: until somebody deletes it'),
  },
  search: {},
  constraints: { notices_days: NOTICE_DAYS },
  live: true,
});

/** The texts that are valid today in the hospital's zone, the oldest first. @param most how many, at most. */
export async function noticesToday(work: Work, most: number): Promise<readonly string[]> {
  const found = await work.trx.query<{ text: string }>(
    `SELECT text FROM notices
     WHERE deleted_at IS NULL AND daterange(valid_from, valid_to, '[]') @> $1::date
     ORDER BY created_at, id LIMIT $2`,
    [today(work), most],
  );
  return found.map(({ text }) => text);
}
