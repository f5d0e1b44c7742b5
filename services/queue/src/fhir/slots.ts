/**
 * Slot: a time at which a doctor has places. Slots are computed from the schedules and stored nowhere, so the id of a slot
 * is that of its schedule and its begin, and a search has to name a schedule and a period.
 */
import { MOST_DAYS, MOST_DAYS_AHEAD, readSlots, type ShownSlot } from '@hms/domain/appointments';
import { addDays, inZone, schedules } from '@hms/domain/schedules';
import { fields, invalidFields, Problem, type Route, records, route, today, type Work } from '@hms/service';
import {
  baseUrl,
  bundle,
  bundleOf,
  type FhirDate,
  type OwnType,
  parseDate,
  RESOURCE_NOT_FOUND,
  reference,
  resource,
  standard,
} from '@hms/service/fhir';
import type { Slot } from 'fhir/r4.js';
import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Id of the schedule, and the minutes since 1970 at the begin. */
const ID = /^([0-9a-f-]{36})\.(\d{1,9})$/;
const id = z.string().regex(ID, 'must be the id of a Slot');

const start = z
  .union([z.string(), z.array(z.string()).max(2)])
  .optional()
  .transform((given, context) =>
    [given ?? []].flat().map((text): FhirDate => {
      const date = parseDate(text);
      if (date && date.prefix !== 'ne') return date;
      context.addIssue({ code: 'custom', message: 'must be a date, such as 2026-01-31, ge2026-01-31 or lt2026-02-01' });
      return z.NEVER;
    }),
  );

const STATUSES = ['busy', 'free', 'busy-unavailable', 'busy-tentative', 'entered-in-error'] as const;

const status = z
  .string()
  .max(200)
  .transform((text, context): readonly string[] => {
    const given = text.split(',');
    if (given.every((one) => (STATUSES as readonly string[]).includes(one))) return given;
    context.addIssue({ code: 'custom', message: `must be one of ${STATUSES.join(', ')}` });
    return z.NEVER;
  });

const search = z.looseObject({
  schedule: z
    .string()
    .max(200)
    .transform((text) => text.replace(/^.*Schedule\//, ''))
    .pipe(fields.id)
    .describe('The id of a Schedule, or `Schedule/id`'),
  start: start.describe(
    `When the slot begins, twice for a period: \`start=ge2026-01-31&start=lt2026-02-07\`. At most ${MOST_DAYS} days. Default: the next ${MOST_DAYS}`,
  ),
  status: status.optional().describe('Alternatives between commas: `free,busy`'),
});

export const slotType: OwnType = {
  type: 'Slot',
  parameters: {
    schedule: { type: 'reference', about: 'Required. The id of a Schedule' },
    start: { type: 'date', about: 'When the slot begins, twice for a period' },
    status: { type: 'token', about: `One of ${STATUSES.join(', ')}` },
  },
  routes: (path) => [searchRoute(path), readRoute(path)],
};

function searchRoute(path: string): Route {
  return route({
    method: 'GET',
    path: `${path}/Slot`,
    operationId: 'searchSlotResources',
    summary: 'Search for Slot resources of FHIR',
    access: 'appointments.read',
    query: search,
    response: bundle,
    ...standard,
    handler: async (context) => {
      const { schedule, start: dates, status: wanted } = context.query;
      const { from, to } = periodOf(context, dates);
      const found = (await slotsOf(context, schedule, from, to))
        .filter(({ startsAt }) => Date.parse(startsAt) >= from && Date.parse(startsAt) < to)
        .map(showSlot)
        .filter((slot) => wanted === undefined || wanted.includes(slot.status));
      const address = `${baseUrl(context, path)}/Slot`;
      const link = [{ relation: 'self', url: `${address}?${usedOf(context.query)}` }];
      return { data: { ...bundleOf(address, found, link) } };
    },
  });
}

function readRoute(path: string): Route {
  return route({
    method: 'GET',
    path: `${path}/Slot/:id`,
    operationId: 'readSlotResource',
    summary: 'Read a Slot resource of FHIR',
    access: 'appointments.read',
    params: z.object({ id }),
    response: resource,
    errors: [RESOURCE_NOT_FOUND],
    ...standard,
    handler: async (context) => {
      const [, schedule = '', minutes = ''] = ID.exec(context.params.id) ?? [];
      const from = Number(minutes) * MINUTE;
      const known = fields.id.safeParse(schedule);
      const all = known.success ? await slotsOf(context, known.data, from, from + 1) : [];
      const slot = all.find(({ startsAt }) => Date.parse(startsAt) === from);
      if (!slot) throw new Problem(RESOURCE_NOT_FOUND);
      return { data: { ...showSlot(slot), id: context.params.id } };
    },
  });
}

/** Bounds in ms since 1970, the last one not included. @throws Problem VALIDATION_FAILED */
function periodOf({ hospital, trx }: Work, dates: readonly FhirDate[]): { readonly from: number; readonly to: number } {
  const at = ({ isUtc }: FhirDate, text: string) => (isUtc ? Date.parse(text) : momentIn(text, hospital.timezone));
  let [from, to] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const date of dates) {
    const { prefix } = date;
    const [begin, end] = [at(date, date.from), at(date, date.to)];
    if (prefix === 'eq' || prefix === 'ge') from = Math.max(from, begin);
    if (prefix === 'gt' || prefix === 'sa') from = Math.max(from, end);
    if (prefix === 'eq' || prefix === 'le') to = Math.min(to, end);
    if (prefix === 'lt' || prefix === 'eb') to = Math.min(to, begin);
  }
  if (from === Number.NEGATIVE_INFINITY) from = Math.min(to, trx.moment.getTime());
  if (to === Number.POSITIVE_INFINITY) to = from + MOST_DAYS * DAY;
  if (to - from > (MOST_DAYS + 1) * DAY) {
    const message = `must be a period of at most ${MOST_DAYS} days: start=ge2026-01-31&start=lt2026-02-28`;
    throw invalidFields([{ field: 'start', in: 'query', message }]);
  }
  return { from, to };
}

function momentIn(text: string, zone: string): number {
  return Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds;
}

/** The slots of a schedule on the days of a period. */
async function slotsOf(work: Work, scheduleId: string, from: number, to: number): Promise<ShownSlot[]> {
  if (to <= from) return [];
  const schedule = await records(work, schedules).find(scheduleId);
  if (!schedule || schedule.deletedAt !== undefined) return [];
  const dayAt = (moment: number) => inZone(moment, work.hospital.timezone).slice(0, 10);
  const first = dayAt(from);
  if (first > addDays(today(work), MOST_DAYS_AHEAD)) return [];
  const days = Math.round((Date.parse(dayAt(to - 1)) - Date.parse(first)) / DAY) + 1;
  const all = await readSlots(work, { doctorId: schedule.doctorId }, { first, days, onlyFree: false });
  return all.filter((slot) => slot.scheduleId === scheduleId);
}

function showSlot({ scheduleId, startsAt, endsAt, free }: ShownSlot): Slot {
  return {
    resourceType: 'Slot',
    id: `${scheduleId}.${Date.parse(startsAt) / MINUTE}`,
    schedule: reference('Schedule', scheduleId),
    status: free > 0 ? 'free' : 'busy',
    start: startsAt,
    end: endsAt,
  };
}

/** The parameters that a search has used. */
function usedOf({ schedule, start: dates, status: wanted }: z.output<typeof search>): URLSearchParams {
  const used = new URLSearchParams({ schedule, ...(wanted === undefined ? {} : { status: wanted.join(',') }) });
  for (const { prefix, from } of dates) used.append('start', `${prefix}${from}`);
  return used;
}
