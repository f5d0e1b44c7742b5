import { updateHospital } from '@hms/database';
import { lockActive, mergePatient, patients } from '@hms/domain/patients';
import { readTimeline } from '@hms/domain/timeline';
import type { Scanned, ShownVisitor, VisitorBan } from '@hms/domain/visitors';
import { expirePass, visitorsInside } from '@hms/domain/visitors';
import { records } from '@hms/service';
import { createTestHospital } from '@hms/service/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { readPages } from '../../../../packages/documents/src/testing/read.ts';
import { until } from '../../../../test/support/until.ts';
import { call, crm, day, made, mary, outcome, person, reception, within, wrongFields } from '../testing.ts';

const VISITORS = '/api/crm/visitors';
const BANS = '/api/crm/visitor-bans';
const HOURS = '/api/crm/visiting-hours';
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

let patientId: string;

beforeEach(async () => {
  ({ patientId } = await person('Jane'));
});

const issue = (name: string, changes: object = {}) =>
  made<ShownVisitor>(VISITORS, { name, patientId, ...changes }, reception);
const step = (of: { readonly id: string }, verb: string, body: Record<string, unknown> = {}) =>
  outcome('POST', `${VISITORS}/${of.id}/${verb}`, body, reception);
const scan = (code: string) => call('POST', `${VISITORS}/scan`, { code }, reception);
/** As if what a visitor did had been some seconds ago. */
const longAgo = ({ id }: { readonly id: string }) =>
  within(({ trx }) =>
    trx.query(
      `UPDATE visitors SET checked_in_at = checked_in_at - interval '10 s', checked_out_at = checked_out_at - interval '10 s'
       WHERE id = $1`,
      [id],
    ),
  );
const list = async (query: string) =>
  (await call('GET', `${VISITORS}?${query}`)).data<ShownVisitor[]>().map(({ name }) => name);

describe('a pass', () => {
  it('is valid until the end of the day, and has a code that nobody can guess', async () => {
    const [ann, bob] = [await issue('Ann'), await issue('Bob')];
    expect(ann).toMatchObject({ passNo: 'VIS-000001', status: 'expected', isExpired: false, patientName: 'Jane Doe' });
    const today = new Date(ann.validTo).getTime() - 1;
    expect(new Intl.DateTimeFormat('en-CA', { timeZone: mary.hospital.timezone }).format(today)).toBe(day());
    expect([ann.scanCode, bob.scanCode]).toEqual([
      expect.stringMatching(/^V[0-9A-Z]{9}$/),
      expect.not.stringMatching(ann.scanCode),
    ]);
  });

  it('keeps four letters of a document, and not one more', async () => {
    expect(await wrongFields('POST', VISITORS, { name: 'Ann', patientId, idLast4: 'AB12345' })).toEqual(['idLast4']);
    expect(await issue('Ann', { idLast4: '123X' })).toMatchObject({ idLast4: '123X' });
  });

  it('ends in the future, after it begins, and within a month', async () => {
    const own = { name: 'Ann', patientId };
    for (const body of [{ validTo: day(-1) }, { validFrom: day(2), validTo: day(1) }, { validTo: day(40) }])
      expect(await wrongFields('POST', VISITORS, { ...own, ...body })).toEqual(['validTo']);
    for (const validFrom of [day(400), '9999-12-31'])
      expect(await wrongFields('POST', VISITORS, { ...own, validFrom })).toEqual(['validFrom']);
    const ann = await issue('Ann', { validFrom: day(-3), validTo: day(20) });
    expect(await wrongFields('PUT', `${VISITORS}/${ann.id}`, { validTo: day(40) })).toEqual(['validTo']);
    expect(await outcome('PUT', `${VISITORS}/${ann.id}`, { validTo: day(25) })).toBe(200);
  });

  it('is printed on a label with its number, the name and its end, and without the patient', async () => {
    const ann = await issue('Ann Visitor', { place: 'Ward 3' });
    const answer = await fetch(`${crm.url}${VISITORS}/${ann.id}/label`, {
      headers: { Authorization: `Bearer ${reception}` },
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    const [page] = await readPages(new Uint8Array(await answer.arrayBuffer()));
    const flat = page?.text ?? '';
    const until = day().split('-').toReversed().join('/');
    for (const part of [ann.passNo, 'Ann Visitor', 'Ward 3', 'VISITOR', `Until: ${until} |`])
      expect(flat).toContain(part);
    expect(flat).not.toMatch(/Jane|HSP-/);
  });

  it('of another hospital is not found', async () => {
    const ann = await issue('Ann');
    const theirs = await (await createTestHospital(crm.operator, crm.issuer)).token(['RECEPTION']);
    expect(await outcome('POST', `${VISITORS}/scan`, { code: ann.scanCode }, theirs)).toBe('PASS_NOT_FOUND');
    for (const verb of ['check-in', 'check-out', 'deny'])
      expect(await outcome('POST', `${VISITORS}/${ann.id}/${verb}`, { reason: 'x' }, theirs)).toBe('VISITOR_NOT_FOUND');
    expect(await outcome('POST', VISITORS, { name: 'Ann', patientId }, theirs)).toBe('PATIENT_NOT_FOUND');
    expect(await outcome('POST', BANS, { name: 'Ann', reason: 'x', patientId }, theirs)).toBe('PATIENT_NOT_FOUND');
  });
});

describe('a scan', () => {
  it('lets a visitor in, then out, then in again, whatever the case of the code', async () => {
    const ann = await issue('Ann');
    const steps: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const answer = await scan(n === 1 ? ann.scanCode.toLowerCase() : ` ${ann.scanCode} `);
      expect(answer.error).toBeUndefined();
      const { step: done, status } = answer.data<Scanned>();
      steps.push(`${done} ${status}`);
      await longAgo(ann);
    }
    expect(steps).toEqual(['check-in checked_in', 'check-out checked_out', 'check-in checked_in']);
  });

  it('that is read twice does nothing the second time', async () => {
    const ann = await issue('Ann');
    const steps = [await scan(ann.scanCode), await scan(ann.scanCode)].map((one) => one.data<Scanned>());
    expect(steps.map(({ step: done, status }) => `${done} ${status}`)).toEqual([
      'check-in checked_in',
      'none checked_in',
    ]);
  });

  it('of two scanners at once lets a visitor in once', async () => {
    const ann = await issue('Ann');
    const answers = await Promise.all([scan(ann.scanCode), scan(ann.scanCode), scan(ann.scanCode)]);
    expect(answers.map((one) => one.data<Scanned>().step).toSorted()).toEqual(['check-in', 'none', 'none']);
  });

  it('of an unknown code finds nothing', async () => {
    expect((await scan('V000000000')).error.code).toBe('PASS_NOT_FOUND');
  });
});

describe('who may come in', () => {
  it('nobody before and after the validity of the pass', async () => {
    const later = await issue('Ann', { validFrom: day(1) });
    const refused = await call('POST', `${VISITORS}/${later.id}/check-in`, {}, reception);
    expect(refused.error).toMatchObject({ code: 'PASS_NOT_YET_VALID', details: { validFrom: later.validFrom } });
    const over = await issue('Bob', { validFrom: day(-1), validTo: day(1) });
    await within(({ trx }) => trx.query('UPDATE visitors SET valid_to = now() WHERE id = $1', [over.id]));
    const gone = await scan(over.scanCode);
    expect([gone.status, gone.error.code]).toEqual([410, 'PASS_EXPIRED']);
    expect((await call('GET', `${VISITORS}/${over.id}`)).data<ShownVisitor>().isExpired).toBe(true);
  });

  it('in the visiting hours of the day, or with a reason at any time', async () => {
    const today = new Date(day()).getUTCDay() || 7;
    const [ann, bob] = [await issue('Ann'), await issue('Bob', { anyTimeReason: 'Last hours' })];
    await made(HOURS, { weekday: (today % 7) + 1, startTime: '00:00', endTime: '24:00' });
    const refused = await call('POST', `${VISITORS}/${ann.id}/check-in`, {}, reception);
    expect([refused.status, refused.error]).toMatchObject([
      409,
      { code: 'OUTSIDE_VISITING_HOURS', details: { hours: [] } },
    ]);
    expect(await step(bob, 'check-in')).toBe(200);
    await made(HOURS, { weekday: today, startTime: '00:00', endTime: '24:00' });
    expect(await step(ann, 'check-in')).toBe(200);
  });

  it('as many as the hospital allows, and the next one when somebody leaves', async () => {
    const [ann, bob, eve] = [await issue('Ann'), await issue('Bob'), await issue('Eve')];
    expect([await step(ann, 'check-in'), await step(bob, 'check-in')]).toEqual([200, 200]);
    const refused = await call('POST', `${VISITORS}/${eve.id}/check-in`, {}, reception);
    expect([refused.status, refused.error]).toMatchObject([
      409,
      { code: 'VISITOR_LIMIT_REACHED', details: { limit: 2, inside: [{ id: ann.id }, { id: bob.id }] } },
    ]);
    expect(await step(ann, 'check-out')).toBe(200);
    expect(await step(eve, 'check-in')).toBe(200);
  });

  it.each([1, 2, 3])('one of two who come at once for the last place (%s)', async () => {
    const passes = [await issue('Ann'), await issue('Bob'), await issue('Eve')];
    expect(await step(passes[0] as ShownVisitor, 'check-in')).toBe(200);
    const outcomes = await Promise.all(passes.slice(1).map((pass) => step(pass, 'check-in')));
    expect(outcomes.toSorted()).toEqual([200, 'VISITOR_LIMIT_REACHED']);
  });

  it('as many within an hour as the hospital allows, of whom those who come back count once', async () => {
    const settings = { ...mary.hospital.settings, maxVisitorsPerPatient: 10, maxVisitorsPerHour: 2 };
    await updateHospital(crm.operator, mary.hospital.prefix, { settings });
    const [ann, bob, eve] = [await issue('Ann'), await issue('Bob'), await issue('Eve')];
    const twoAtOnce = await Promise.all(
      [ann, bob, eve].map((pass) => call('POST', `${VISITORS}/${pass.id}/check-in`, {}, reception)),
    );
    const late = twoAtOnce.findIndex(({ success }) => !success);
    expect(twoAtOnce.map(({ status }) => status).toSorted()).toEqual([200, 200, 409]);
    const [refused, third] = [twoAtOnce[late], [ann, bob, eve][late] as ShownVisitor];
    const came = twoAtOnce.filter(({ success }) => success).map((one) => one.data<ShownVisitor>());
    const first = Math.min(...came.map(({ checkedInAt }) => Date.parse(checkedInAt ?? '')));
    expect(refused?.error).toMatchObject({ code: 'VISITORS_PER_HOUR_REACHED', details: { limit: 2 } });
    const nextAt = String(refused?.error.details?.nextAt);
    expect(Math.abs(Date.parse(nextAt) - first - 3_600_000)).toBeLessThan(1000);
    const back = came[0] as ShownVisitor;
    expect([await step(back, 'check-out'), await step(back, 'check-in')]).toEqual([200, 200]);
    await within(({ trx }) =>
      trx.query("UPDATE visitors SET checked_in_at = checked_in_at - interval '1 hour' WHERE id = $1", [back.id]),
    );
    expect(await step(third, 'check-in')).toBe(200);
  });

  it('merged patients have the places of one', async () => {
    const twin = await person('Janet');
    const [ann, bob, eve] = [
      await issue('Ann'),
      await issue('Bob', { patientId: twin.patientId }),
      await issue('Eve', { patientId: twin.patientId }),
    ];
    await within((work) => mergePatient(work, twin.patientId, patientId));
    expect([await step(ann, 'check-in'), await step(bob, 'check-in'), await step(eve, 'check-in')]).toEqual([
      ...[200, 200, 'VISITOR_LIMIT_REACHED'],
    ]);
    for (const id of [patientId, twin.patientId])
      expect((await list(`patientId=${id}&status=checked_in`)).toSorted()).toEqual(['Ann', 'Bob']);
  });

  it('and all of them are on one list, also to print, as long as they are inside', async () => {
    const people = Array.from({ length: 101 }, (_, index) => index);
    await within(async ({ trx }) => {
      await trx.query(
        `INSERT INTO visitors (id, pass_no, scan_code, patient_id, name, valid_from, valid_to, status, checked_in_at, created_by, updated_by)
         SELECT gen_random_uuid(), 'VIS-9' || n, 'V' || lpad(n::text, 9, '0'), $1, 'Guest ' || n, now() - interval '2 days',
           now() - interval '1 day', 'checked_in', now() - n * interval '1 minute', 'test', 'test'
         FROM generate_series(0, 100) n`,
        [patientId],
      );
    });
    const gone = await issue('Ann', { place: 'Ward 3' });
    expect(await step(gone, 'check-in')).toBe('VISITOR_LIMIT_REACHED');
    const inside = (await call('GET', `${VISITORS}/inside`)).data<ShownVisitor[]>();
    expect(inside.map(({ name }) => name)).toEqual(people.map((index) => `Guest ${100 - index}`));
    expect(inside[0]).toMatchObject({ patientName: expect.any(String), isExpired: true });
    const answer = await fetch(`${crm.url}${VISITORS}/inside/pdf`, {
      headers: { authorization: `Bearer ${reception}` },
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    const pages = await readPages(new Uint8Array(await answer.arrayBuffer()));
    const text = pages.map((page) => page.text).join('\n');
    for (const index of people) expect(text).toContain(`VIS-9${index}`);
    expect(text).toContain(inside[0]?.patientName);
    expect(text).not.toContain('Ann');
  });

  it('nobody twice, and nobody goes out who is not in', async () => {
    const ann = await issue('Ann');
    expect(await step(ann, 'check-out')).toBe('INVALID_STATE');
    expect(await step(ann, 'check-in')).toBe(200);
    expect(await step(ann, 'check-in')).toBe('INVALID_STATE');
  });

  it('nobody who was turned away, which needs a reason and that they are not in', async () => {
    const [ann, bob] = [await issue('Ann'), await issue('Bob')];
    expect(await wrongFields('POST', `${VISITORS}/${ann.id}/deny`, {})).toEqual(['reason']);
    expect(await step(ann, 'deny', { reason: 'Drunk' })).toBe(200);
    expect((await call('GET', `${VISITORS}/${ann.id}`)).data()).toMatchObject({
      status: 'denied',
      denyReason: 'Drunk',
    });
    expect((await scan(ann.scanCode)).error.code).toBe('INVALID_STATE');
    expect(await step(bob, 'check-in')).toBe(200);
    expect(await step(bob, 'deny', { reason: 'Drunk' })).toBe('INVALID_STATE');
  });

  it('nobody whose pass is over, which a task marks, until its end is later', async () => {
    const [ann, bob, eve] = [await issue('Ann'), await issue('Bob'), await issue('Eve')];
    for (const pass of [ann, bob]) expect(await step(pass, 'check-in')).toBe(200);
    expect(await step(bob, 'check-out')).toBe(200);
    const expire = () =>
      within(async (work) => {
        for (const { id } of [ann, bob, eve]) await expirePass(work, id);
      });
    const states = async () =>
      (await call('GET', `${VISITORS}?sort=passNo`)).data<ShownVisitor[]>().map(({ status }) => status);
    await expire();
    expect(await states()).toEqual(['checked_in', 'checked_out', 'expected']);
    await within(({ trx }) => trx.query("UPDATE visitors SET valid_from = now() - interval '2 h', valid_to = now()"));
    await expire();
    // Whoever is inside is still there.
    expect(await states()).toEqual(['checked_in', 'expired', 'expired']);
    expect(await step(eve, 'check-in')).toBe('PASS_EXPIRED');
    expect(await step(eve, 'deny', { reason: 'Late' })).toBe('INVALID_STATE');
    expect(await step(ann, 'check-out')).toBe(200);
    const isOver = (all: readonly string[]) => all[0] === 'expired';
    await until('the pass of whoever left late to be marked', states, isOver);
    for (const pass of [bob, eve])
      expect(await outcome('PUT', `${VISITORS}/${pass.id}`, { validTo: day(1) }, reception)).toBe(200);
    expect(await states()).toEqual(['expired', 'checked_out', 'expected']);
    await expire();
    expect(await states()).toEqual(['expired', 'checked_out', 'expected']);
    expect(await step(eve, 'check-in')).toBe(200);
  });

  it('keeps a patient from being deleted meanwhile', async () => {
    const ann = await issue('Ann');
    const inside = () => within((work) => visitorsInside(work, [patientId]));
    expect(await inside()).toEqual([]);
    await step(ann, 'check-in');
    expect(await inside()).toEqual([{ record: 'visitors', id: ann.id, name: 'Ann (VIS-000001)' }]);
  });

  it('nobody whose patient is deleted', async () => {
    const ann = await issue('Ann');
    await within(async (work) => {
      await work.trx.query('UPDATE patients SET family_id = NULL WHERE id = $1', [patientId]);
      await records(work, patients).remove(await lockActive(work, patientId));
    });
    expect(await step(ann, 'check-in')).toBe('PATIENT_NOT_FOUND');
  });
});

describe('the deny list', () => {
  const ban = (body: Record<string, unknown>) => made<VisitorBan>(BANS, { reason: 'Violent', ...body }, reception);

  it('keeps out whoever has the phone, under any name', async () => {
    const { id } = await ban({ name: 'Max', phone: '+353861234567' });
    const refused = await call(
      'POST',
      VISITORS,
      { name: 'Moritz', phone: '+353 86 123 4567', patientId, clearedBanIds: [id] },
      reception,
    );
    expect([refused.status, refused.error]).toMatchObject([
      409,
      { code: 'VISITOR_BANNED', details: { bans: [{ id, reason: 'Violent', isSamePhone: true }] } },
    ]);
    await issue('Moritz', { phone: '+353861234568' });
  });

  it('keeps out whoever has the name, unless the desk says that it is somebody else', async () => {
    const { id } = await ban({ name: 'Zoë Müller' });
    expect(await outcome('POST', VISITORS, { name: 'zoe  muller', patientId }, reception)).toBe('VISITOR_BANNED');
    for (const name of ['Müller, Zoë', 'zoe-muller', 'Dr. Zoe Muller', 'Zoë Anna Müller.']) {
      expect([name, await outcome('POST', VISITORS, { name, patientId }, reception)]).toEqual([name, 'VISITOR_BANNED']);
    }
    const other = await issue('zoe muller', { clearedBanIds: [id] });
    await issue('Zoë');
    expect(await step(other, 'check-in')).toBe(200);
    await issue('Zoë Möller');
  });

  it('is looked at again when somebody comes in, and when the name changes', async () => {
    const [ann, bob] = [await issue('Ann'), await issue('Bob')];
    const { id } = await ban({ name: 'Ann' });
    expect(await step(ann, 'check-in')).toBe('VISITOR_BANNED');
    expect(await outcome('PUT', `${VISITORS}/${bob.id}`, { name: 'Ann' }, reception)).toBe('VISITOR_BANNED');
    expect(await outcome('DELETE', `${BANS}/${id}`, undefined, reception)).toBe(200);
    expect(await step(ann, 'check-in')).toBe(200);
  });

  it('lets a namesake in who was banned after the pass was issued, if the desk says that it is somebody else', async () => {
    const [ann, bob] = [await issue('Ann'), await issue('Bob', { phone: '+353861234567' })];
    const { id } = await ban({ name: 'Ann' });
    const { id: byPhone } = await ban({ name: 'Rob', phone: '+353861234567' });
    expect((await call('POST', `${VISITORS}/scan`, { code: ann.scanCode }, reception)).error.code).toBe(
      'VISITOR_BANNED',
    );
    const cleared = await call('POST', `${VISITORS}/scan`, { code: ann.scanCode, clearedBanIds: [id] }, reception);
    expect(cleared.data()).toMatchObject({ status: 'checked_in', clearedBanIds: [id] });
    expect([await step(ann, 'check-out'), await step(ann, 'check-in')]).toEqual([200, 200]);
    expect(await step(bob, 'check-in', { clearedBanIds: [byPhone] })).toBe('VISITOR_BANNED');
  });

  it('holds until its last day, and for one patient if it says so', async () => {
    const twin = await person('Janet');
    await ban({ name: 'Ann', patientId: twin.patientId });
    const past = { name: 'Bob', reason: 'Violent', validTo: day(-1) };
    expect(await wrongFields('POST', BANS, past)).toEqual(['validTo']);
    const { id: bob } = await ban({ ...past, validTo: day() });
    expect(await outcome('PUT', `${BANS}/${bob}`, { validTo: day(-1) }, reception)).toBe(200);
    await ban({ name: 'Eve', validTo: day() });
    await issue('Ann');
    await issue('Bob');
    expect(await outcome('POST', VISITORS, { name: 'Ann', patientId: twin.patientId }, reception)).toBe(
      'VISITOR_BANNED',
    );
    expect(await outcome('POST', VISITORS, { name: 'Eve', patientId }, reception)).toBe('VISITOR_BANNED');
    await within((work) => mergePatient(work, twin.patientId, patientId));
    expect(await outcome('POST', VISITORS, { name: 'Ann', patientId }, reception)).toBe('VISITOR_BANNED');
    const valid = (await call('GET', `${BANS}?validOn=${day()}`)).data<VisitorBan[]>().map(({ name }) => name);
    expect(valid.toSorted()).toEqual(['Ann', 'Eve']);
  });

  it('moves to another patient only if there is one', async () => {
    const { id } = await ban({ name: 'Ann' });
    expect(await outcome('PUT', `${BANS}/${id}`, { patientId: id }, reception)).toBe('PATIENT_NOT_FOUND');
    expect(await outcome('PUT', `${BANS}/${id}`, { patientId }, reception)).toBe(200);
  });
});

describe('visiting hours', () => {
  it('end after they begin, and do not overlap on a weekday', async () => {
    for (const weekday of WEEKDAYS) await made(HOURS, { weekday, startTime: '14:00', endTime: '16:00' });
    expect(await wrongFields('POST', HOURS, { weekday: 1, startTime: '10:00', endTime: '10:00' })).toEqual(['endTime']);
    const body = { weekday: 1, startTime: '15:59', endTime: '18:00' };
    expect(await outcome('POST', HOURS, body)).toBe('VISITING_HOURS_OVERLAP');
    const { id } = await made<{ id: string }>(HOURS, { ...body, startTime: '16:00' });
    expect(await outcome('PUT', `${HOURS}/${id}`, { startTime: '15:00' })).toBe('VISITING_HOURS_OVERLAP');
    expect(await wrongFields('PUT', `${HOURS}/${id}`, { endTime: '16:00' })).toEqual(['endTime']);
    expect(await outcome('PUT', `${HOURS}/${id}`, { endTime: '24:00' })).toBe(200);
  });
});

it('is in the timeline of the patient without the name of the visitor', async () => {
  const ann = await issue('Ann');
  await step(ann, 'check-in');
  await step(ann, 'check-out');
  const { data } = await within((work) =>
    readTimeline(work, patientId, { page: 1, limit: 20, permissions: new Set(['patients.read']) }),
  );
  const visits = data.filter(({ kind }) => kind.startsWith('visitor.'));
  expect(visits.map(({ kind, details }) => [kind, details])).toEqual([
    ['visitor.left', { passNo: 'VIS-000001' }],
    ['visitor.came', { passNo: 'VIS-000001' }],
  ]);
});

it('is found by name, number, phone and patient', async () => {
  await issue('Ann', { phone: '+353861234567' });
  for (const q of ['ann', 'vis-000001', '353861234567', 'jane']) expect(await list(`q=${q}`)).toEqual(['Ann']);
  expect(await list('q=nobody')).toEqual([]);
  expect(await list(`mayEnterAt=${new Date(Date.now() + 40 * 86_400_000).toISOString()}`)).toEqual([]);
});
