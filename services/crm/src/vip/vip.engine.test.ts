import { mergePatient, unmergePatient } from '@hms/domain/patients';
import { readTimeline } from '@hms/domain/timeline';
import { benefitOf, membershipsFor, type ShownMembership, type VipTier } from '@hms/domain/vip';
import { createTestHospital } from '@hms/service/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { admin, call, crm, day, made, mary, outcome, person, reception, within, wrongFields } from '../testing.ts';

const TIERS = '/api/crm/vip-tiers';
const MEMBERSHIPS = '/api/crm/vip-memberships';

let gold: VipTier;
let patientId: string;

beforeEach(async () => {
  gold = await made<VipTier>(TIERS, { name: 'Gold', priorityWeight: 50, consultationBps: 1250 });
  ({ patientId } = await person('Jane'));
});

const grant = (changes: object = {}) => made<ShownMembership>(MEMBERSHIPS, { patientId, tierId: gold.id, ...changes });
const list = async (query: string) =>
  (await call('GET', `${MEMBERSHIPS}?${query}`)).data<ShownMembership[]>().map(({ membershipNo }) => membershipNo);

describe('a tier', () => {
  it('has a discount of nothing unless somebody says so', () => {
    expect(gold).toMatchObject({ consultationBps: 1250, laboratoryBps: 0, pharmacyBps: 0, otherBps: 0 });
  });

  it('has a name of its own, whose case does not count', async () => {
    expect(await outcome('POST', TIERS, { name: 'GOLD' })).toBe('VIP_TIER_NAME_TAKEN');
    const silver = await made<VipTier>(TIERS, { name: 'Silver' });
    expect(await outcome('PUT', `${TIERS}/${silver.id}`, { name: 'gold' })).toBe('VIP_TIER_NAME_TAKEN');
    expect(await outcome('DELETE', `${TIERS}/${gold.id}`)).toBe(200);
    expect(await outcome('PUT', `${TIERS}/${silver.id}`, { name: 'gold' })).toBe(200);
  });

  it('discounts the whole price at most', async () => {
    const body = { name: 'Free', consultationBps: 10_001, laboratoryBps: -1, pharmacyBps: 1.5, priorityWeight: 101 };
    expect((await wrongFields('POST', TIERS, body)).toSorted()).toEqual([
      'consultationBps',
      'laboratoryBps',
      'pharmacyBps',
      'priorityWeight',
    ]);
    expect(await outcome('POST', TIERS, { name: 'Free', consultationBps: 10_000 })).toBe(201);
  });

  it('that is out of use keeps its memberships, and gets none', async () => {
    const { id } = await grant();
    expect(await outcome('POST', `${TIERS}/${gold.id}/deactivate`, {})).toBe(200);
    expect(await outcome('POST', `${TIERS}/${gold.id}/deactivate`, {})).toBe('INVALID_STATE');
    expect((await call('GET', `${MEMBERSHIPS}/${id}`)).data<ShownMembership>().phase).toBe('current');
    const john = await person('John');
    const body = { patientId: john.patientId, tierId: gold.id };
    expect(await outcome('POST', MEMBERSHIPS, body)).toBe('VIP_TIER_INACTIVE');
    expect(await outcome('POST', `${TIERS}/${gold.id}/activate`, {})).toBe(200);
    expect(await outcome('POST', MEMBERSHIPS, body)).toBe(201);
  });

  it('of which somebody had a membership stays', async () => {
    const { id } = await grant();
    expect(await outcome('POST', `${MEMBERSHIPS}/${id}/cancel`, { reason: 'A mistake' })).toBe(200);
    expect(await outcome('DELETE', `${TIERS}/${gold.id}`)).toBe('VIP_TIER_IN_USE');
  });
});

describe('a membership', () => {
  it('is valid from today until somebody ends it, and names patient and tier', async () => {
    expect(await grant()).toMatchObject({
      ...{ membershipNo: 'VIP-000001', phase: 'current', status: 'active', reason: null, validTo: null },
      ...{ validFrom: `${day()}T00:00:00.000Z`, tierName: 'Gold', patientName: 'Jane Doe', patientCode: 'HSP-000001' },
    });
  });

  it('is upcoming, current or ended by the day of the hospital', async () => {
    const phases = [
      await grant({ validFrom: day(-9), validTo: day(-0) }),
      await grant({ validFrom: day(1), validTo: day(1) }),
    ].map(({ phase }) => phase);
    expect(phases).toEqual(['current', 'upcoming']);
    const [first] = (await call('GET', `${MEMBERSHIPS}?sort=validTo`)).data<ShownMembership[]>();
    const ended = await call('PUT', `${MEMBERSHIPS}/${first?.id}`, { validTo: day(-1) });
    expect(ended.data<ShownMembership>().phase).toBe('ended');
  });

  it('ends after it begins, and not in the past', async () => {
    const own = { patientId, tierId: gold.id };
    expect(await wrongFields('POST', MEMBERSHIPS, { ...own, validFrom: day(2), validTo: day(1) })).toEqual(['validTo']);
    expect(await wrongFields('POST', MEMBERSHIPS, { ...own, validFrom: day(-9), validTo: day(-1) })).toEqual([
      'validTo',
    ]);
    const { id } = await grant({ validFrom: day(-9) });
    expect(await wrongFields('PUT', `${MEMBERSHIPS}/${id}`, { validTo: day(-2) })).toEqual(['validTo']);
    expect(await outcome('PUT', `${MEMBERSHIPS}/${id}`, { validTo: day(-1) })).toBe(200);
  });

  it('is the only one of a patient at a time', async () => {
    const first = await grant({ validTo: day(10) });
    const refused = await call('POST', MEMBERSHIPS, { patientId, tierId: gold.id, validFrom: day(10) });
    expect([refused.status, refused.error]).toMatchObject([
      409,
      { code: 'VIP_OVERLAP', details: { membership: { id: first.id, membershipNo: 'VIP-000001' } } },
    ]);
    const next = await grant({ validFrom: day(11) });
    expect(await outcome('PUT', `${MEMBERSHIPS}/${first.id}`, { validTo: day(11) })).toBe('VIP_OVERLAP');
    expect(await outcome('PUT', `${MEMBERSHIPS}/${first.id}`, { validTo: null })).toBe('VIP_OVERLAP');
    expect(await outcome('POST', `${MEMBERSHIPS}/${next.id}/cancel`, { reason: 'A mistake' })).toBe(200);
    expect(await outcome('PUT', `${MEMBERSHIPS}/${first.id}`, { validTo: null })).toBe(200);
  });

  it('is the only one also if ten are created at once', async () => {
    const body = { patientId, tierId: gold.id };
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => outcome('POST', MEMBERSHIPS, body)));
    expect(outcomes.toSorted()).toEqual([201, ...Array(9).fill('VIP_OVERLAP')]);
  });

  it('is the only one in the database as well', async () => {
    const { id } = await grant();
    const copy = within(({ trx }) =>
      trx.query(
        `INSERT INTO vip_memberships (id, membership_no, patient_id, tier_id, valid_from, created_by, updated_by)
         SELECT gen_random_uuid(), 'X', patient_id, tier_id, valid_from, 'x', 'x' FROM vip_memberships WHERE id = $1`,
        [id],
      ),
    );
    await expect(copy).rejects.toThrow(/vip_memberships_one/);
  });

  it('is suspended with a reason, takes its place meanwhile, and is resumed', async () => {
    const { id } = await grant();
    expect(await wrongFields('POST', `${MEMBERSHIPS}/${id}/suspend`, {})).toEqual(['reason']);
    const suspended = await call('POST', `${MEMBERSHIPS}/${id}/suspend`, { reason: 'Unpaid' });
    expect(suspended.data()).toMatchObject({ status: 'suspended', phase: 'suspended', reason: 'Unpaid' });
    expect(await list(`patientId=${patientId}&validOn=${day()}`)).toEqual([]);
    expect(await outcome('POST', MEMBERSHIPS, { patientId, tierId: gold.id })).toBe('VIP_OVERLAP');
    expect(await outcome('POST', `${MEMBERSHIPS}/${id}/suspend`, { reason: 'Again' })).toBe('INVALID_STATE');
    const resumed = await call('POST', `${MEMBERSHIPS}/${id}/resume`, {});
    expect(resumed.data()).toMatchObject({ status: 'active', phase: 'current', reason: null });
    expect(await list(`patientId=${patientId}&validOn=${day()}`)).toEqual(['VIP-000001']);
    expect(await outcome('POST', `${MEMBERSHIPS}/${id}/resume`, {})).toBe('INVALID_STATE');
  });

  it('that is cancelled stays so, and makes room', async () => {
    const { id } = await grant();
    const cancelled = await call('POST', `${MEMBERSHIPS}/${id}/cancel`, { reason: 'Moved away' });
    expect(cancelled.data()).toMatchObject({
      phase: 'cancelled',
      reason: 'Moved away',
      cancelledAt: expect.any(String),
    });
    expect(await outcome('POST', `${MEMBERSHIPS}/${id}/resume`, {})).toBe('INVALID_STATE');
    await grant();
  });

  it('that has ended is neither suspended, resumed nor cancelled', async () => {
    const { id } = await grant({ validFrom: day(-9) });
    await call('PUT', `${MEMBERSHIPS}/${id}`, { validTo: day(-1) });
    for (const [step, body] of [
      ['suspend', { reason: 'x' }],
      ['resume', {}],
      ['cancel', { reason: 'x' }],
    ] as const)
      expect(await outcome('POST', `${MEMBERSHIPS}/${id}/${step}`, body)).toBe('VIP_MEMBERSHIP_ENDED');
  });

  it('is changed by who has read it', async () => {
    const { id, version } = await grant();
    expect(await outcome('PUT', `${MEMBERSHIPS}/${id}`, { notes: 'Likes tea', version })).toBe(200);
    expect(await outcome('PUT', `${MEMBERSHIPS}/${id}`, { notes: 'Likes coffee', version })).toBe('STALE_VERSION');
  });

  it('is found by the name of the patient, the tier and the number', async () => {
    await grant();
    expect(await list('q=jane')).toEqual(['VIP-000001']);
    expect(await list('q=vip-000001')).toEqual(['VIP-000001']);
    expect(await list(`tierId=${gold.id}`)).toEqual(['VIP-000001']);
    expect(await list('q=john')).toEqual([]);
  });

  it('needs a patient and a tier of this hospital', async () => {
    const other = await createTestHospital(crm.operator, crm.issuer);
    const stranger = await person('Stranger', other);
    expect(await outcome('POST', MEMBERSHIPS, { patientId: stranger.patientId, tierId: gold.id })).toBe(
      'PATIENT_NOT_FOUND',
    );
    expect(await outcome('POST', MEMBERSHIPS, { patientId, tierId: patientId })).toBe('VIP_TIER_NOT_FOUND');
    const { id } = await grant();
    const theirs = await other.token(['ADMIN']);
    for (const step of ['suspend', 'cancel'])
      expect(await outcome('POST', `${MEMBERSHIPS}/${id}/${step}`, { reason: 'x' }, theirs)).toBe(
        'VIP_MEMBERSHIP_NOT_FOUND',
      );
    expect(await outcome('GET', `${MEMBERSHIPS}/${id}`, undefined, theirs)).toBe('VIP_MEMBERSHIP_NOT_FOUND');
  });

  it('is in the timeline and in the audit log of the patient', async () => {
    const { id } = await grant();
    await call('POST', `${MEMBERSHIPS}/${id}/cancel`, { reason: 'Moved away' });
    const { data } = await within((work) =>
      readTimeline(work, patientId, { page: 1, limit: 20, permissions: new Set(['vip.read']) }),
    );
    expect(data.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['vip.granted', 'vip.cancelled']));
    await call('GET', `${MEMBERSHIPS}/${id}`, undefined, reception);
    const log = await within(({ trx }) =>
      trx.query<{ action: string }>(
        'SELECT action FROM audit_events WHERE record_id = $1 AND patient_id = $2 ORDER BY seq',
        [...[id, patientId]],
      ),
    );
    expect(log.map(({ action }) => action)).toEqual(['create', 'transition', 'read']);
  });
});

describe('of merged patients', () => {
  it('both memberships stay and are found through either, until they are separated', async () => {
    const twin = await person('Janet');
    await grant();
    await made(MEMBERSHIPS, { patientId: twin.patientId, tierId: gold.id });
    await within((work) => mergePatient(work, twin.patientId, patientId));
    for (const id of [patientId, twin.patientId])
      expect((await list(`patientId=${id}`)).toSorted()).toEqual(['VIP-000001', 'VIP-000002']);
    await within((work) => unmergePatient(work, twin.patientId));
    expect(await list(`patientId=${patientId}`)).toEqual(['VIP-000001']);
    expect(await list(`patientId=${twin.patientId}`)).toEqual(['VIP-000002']);
  });

  it('a new one belongs to the one who remains, and is compared with those of both', async () => {
    const twin = await person('Janet');
    const old = await made<ShownMembership>(MEMBERSHIPS, { patientId: twin.patientId, tierId: gold.id });
    await within((work) => mergePatient(work, twin.patientId, patientId));
    expect(await outcome('POST', MEMBERSHIPS, { patientId, tierId: gold.id })).toBe('VIP_OVERLAP');
    await call('POST', `${MEMBERSHIPS}/${old.id}/cancel`, { reason: 'Merged' });
    const { patientId: owner } = await made<ShownMembership>(MEMBERSHIPS, {
      patientId: twin.patientId,
      tierId: gold.id,
    });
    expect(owner).toBe(patientId);
  });
});

describe('of a family', () => {
  let familyId: string;
  let child: string;

  beforeEach(async () => {
    ({ familyId, patientId } = await person('Mary'));
    ({ patientId: child } = await person('Tim'));
    await made(`/api/crm/families/${familyId}/members`, { patientId: child, relation: 'child' });
  });

  const ofFamily = (changes: object = {}) =>
    made<ShownMembership>(MEMBERSHIPS, { familyId, tierId: gold.id, ...changes });

  it('has no patient, and names the family', async () => {
    expect(await ofFamily()).toMatchObject({
      ...{ patientId: null, patientName: null, patientCode: null, familyId, familyName: 'Doe', phase: 'current' },
      ...{ familyCode: expect.stringMatching(/^FAM-/), primaryContactId: patientId },
    });
  });

  it('has one holder', async () => {
    const own = { tierId: gold.id };
    expect(await wrongFields('POST', MEMBERSHIPS, { ...own, familyId, patientId })).toEqual(['patientId']);
    expect(await wrongFields('POST', MEMBERSHIPS, own)).toEqual(['patientId']);
    expect(await outcome('POST', MEMBERSHIPS, { ...own, familyId: patientId })).toBe('FAMILY_NOT_FOUND');
    const { id } = await ofFamily();
    const both = within(({ trx }) =>
      trx.query('UPDATE vip_memberships SET patient_id = $2 WHERE id = $1', [id, child]),
    );
    await expect(both).rejects.toThrow(/vip_memberships_holder/);
    const none = within(({ trx }) => trx.query('UPDATE vip_memberships SET family_id = NULL WHERE id = $1', [id]));
    await expect(none).rejects.toThrow(/vip_memberships_holder/);
  });

  it('is the only one of the family at a time, also if ten are created at once, and in the database', async () => {
    const body = { familyId, tierId: gold.id };
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => outcome('POST', MEMBERSHIPS, body)));
    expect(outcomes.toSorted()).toEqual([201, ...Array(9).fill('VIP_OVERLAP')]);
    const copy = within(({ trx }) =>
      trx.query(
        `INSERT INTO vip_memberships (id, membership_no, family_id, tier_id, valid_from, created_by, updated_by)
         SELECT gen_random_uuid(), 'X', family_id, tier_id, valid_from, 'x', 'x' FROM vip_memberships WHERE family_id = $1`,
        [familyId],
      ),
    );
    await expect(copy).rejects.toThrow(/vip_memberships_one_of_family/);
    // A member may have one of their own.
    await made(MEMBERSHIPS, { patientId: child, tierId: gold.id });
  });

  it('is found by the family, by each member and by what they are called', async () => {
    await ofFamily();
    for (const query of [`familyId=${familyId}`, `patientId=${patientId}`, `patientId=${child}`, 'q=tim', 'q=doe'])
      expect([query, await list(query)]).toEqual([query, ['VIP-000001']]);
    const stranger = await person('Eve', mary, { lastName: 'Roe' });
    expect(await list(`patientId=${stranger.patientId}`)).toEqual([]);
    expect(await list('q=roe')).toEqual([]);
  });

  it('is suspended, ends and is cancelled as that of a patient, also after the family is closed', async () => {
    const { id } = await ofFamily({ validFrom: day(-3) });
    expect(await outcome('POST', `${MEMBERSHIPS}/${id}/suspend`, { reason: 'Unpaid' })).toBe(200);
    expect(await outcome('POST', `${MEMBERSHIPS}/${id}/resume`, {})).toBe(200);
    expect(await outcome('PUT', `${MEMBERSHIPS}/${id}`, { validTo: day(5) })).toBe(200);
    const alone = await person('Paul');
    const theirs = await ofFamily({ familyId: alone.familyId });
    await made(`/api/crm/families/${familyId}/members`, { patientId: alone.patientId, relation: 'other' });
    expect(await outcome('POST', `${MEMBERSHIPS}/${theirs.id}/cancel`, { reason: 'Moved' })).toBe(200);
    expect(await outcome('POST', MEMBERSHIPS, { familyId: alone.familyId, tierId: gold.id })).toBe('FAMILY_NOT_FOUND');
  });
});

describe('for a person there counts', () => {
  const counting = (id: string, on = day()) =>
    within(async (work) => (await membershipsFor(work, [id], on))(id).map(({ membershipNo }) => membershipNo));

  it('the own one on its days, if it is neither suspended nor cancelled', async () => {
    const { id } = await grant({ validFrom: day(-1), validTo: day(1) });
    expect([await counting(patientId, day(-2)), await counting(patientId, day(2))]).toEqual([[], []]);
    for (const on of [day(-1), day(), day(1)]) expect(await counting(patientId, on)).toEqual(['VIP-000001']);
    await call('POST', `${MEMBERSHIPS}/${id}/suspend`, { reason: 'Unpaid' });
    expect(await counting(patientId)).toEqual([]);
    await call('POST', `${MEMBERSHIPS}/${id}/resume`, {});
    expect(await counting(patientId)).toEqual(['VIP-000001']);
    await call('POST', `${MEMBERSHIPS}/${id}/cancel`, { reason: 'Moved' });
    expect(await counting(patientId)).toEqual([]);
  });

  it('that of the family, until they leave it', async () => {
    const { familyId } = await person('Mary');
    await made(MEMBERSHIPS, { familyId, tierId: gold.id });
    expect(await counting(patientId)).toEqual([]);
    const member = await made<{ id: string }>(`/api/crm/families/${familyId}/members`, { patientId });
    expect(await counting(patientId)).toEqual(['VIP-000001']);
    await call('DELETE', `/api/crm/families/${familyId}/members/${member.id}`);
    expect(await counting(patientId)).toEqual([]);
  });

  it('that of the family in which they were alone, also in another family, where it is theirs', async () => {
    const [ann, bob, cat] = [await person('Ann'), await person('Bob'), await person('Cat')];
    const past = await made<ShownMembership>(MEMBERSHIPS, { familyId: ann.familyId, tierId: gold.id });
    await call('POST', `${MEMBERSHIPS}/${past.id}/cancel`, { reason: 'Moved' });
    for (const { familyId } of [ann, bob, cat]) await made(MEMBERSHIPS, { familyId, tierId: gold.id });
    await made(`/api/crm/families/${bob.familyId}/members`, { patientId: ann.patientId });
    await made('/api/crm/families', { name: 'New', primaryContactId: cat.patientId });
    expect(await counting(ann.patientId)).toEqual(['VIP-000002', 'VIP-000003']);
    expect(await counting(bob.patientId)).toEqual(['VIP-000003']);
    expect(await counting(cat.patientId)).toEqual(['VIP-000004']);
    expect(await list(`familyId=${ann.familyId}`)).toEqual(['VIP-000001']);
    const found = await call('GET', `${MEMBERSHIPS}?membershipNo=VIP-000002`);
    expect(found.data()).toMatchObject([{ patientId: ann.patientId, familyId: null, phase: 'current' }]);
  });

  it('no second own one: who has one stays in the family in which they are alone', async () => {
    const ann = await person('Ann');
    await made(MEMBERSHIPS, { patientId: ann.patientId, tierId: gold.id });
    await made(MEMBERSHIPS, { familyId: ann.familyId, tierId: gold.id });
    const { familyId } = await person('Bob');
    const join = () => outcome('POST', `/api/crm/families/${familyId}/members`, { patientId: ann.patientId });
    expect(await join()).toBe('VIP_OVERLAP');
    expect(await outcome('DELETE', `/api/crm/families/${ann.familyId}`)).toBe('VIP_OVERLAP');
    expect(await counting(ann.patientId)).toEqual(['VIP-000001', 'VIP-000002']);
    const own = await list(`familyId=${ann.familyId}`);
    expect(own).toEqual(['VIP-000002']);
  });

  it('those of whoever was merged into them, and of the family of the one who remains', async () => {
    const [twin, third] = [await person('Janet'), await person('Jan')];
    await made(MEMBERSHIPS, { patientId: twin.patientId, tierId: gold.id });
    await made(MEMBERSHIPS, { familyId: third.familyId, tierId: gold.id });
    await grant();
    await within((work) => mergePatient(work, twin.patientId, patientId));
    await within((work) => mergePatient(work, patientId, third.patientId));
    for (const id of [patientId, twin.patientId, third.patientId])
      expect((await counting(id)).toSorted()).toEqual(['VIP-000001', 'VIP-000002', 'VIP-000003']);
    await within((work) => unmergePatient(work, patientId));
    expect(await counting(twin.patientId)).toEqual(['VIP-000001', 'VIP-000003']);
    expect(await counting(third.patientId)).toEqual(['VIP-000002']);
  });

  it('the best of each group of services, by name', async () => {
    const tier = await made<VipTier>(TIERS, { name: 'Lab', laboratoryBps: 500, consultationBps: 1250, otherBps: 1 });
    const { familyId } = await person('Mary');
    await made(`/api/crm/families/${familyId}/members`, { patientId });
    await grant();
    await made(MEMBERSHIPS, { familyId, tierId: tier.id });
    const all = await within(async (work) => (await membershipsFor(work, [patientId], day()))(patientId));
    const given = (['consultation', 'laboratory', 'pharmacy', 'other'] as const).map((group) => benefitOf(all, group));
    expect(given).toEqual([
      { benefitBps: 1250, membershipNo: 'VIP-000001', tierName: 'Gold' },
      { benefitBps: 500, membershipNo: 'VIP-000002', tierName: 'Lab' },
      { benefitBps: 0, membershipNo: null, tierName: null },
      { benefitBps: 1, membershipNo: 'VIP-000002', tierName: 'Lab' },
    ]);
  });
});

it('tells live lists about changes', async () => {
  const stop = new AbortController();
  const answer = await fetch(`${crm.url}${MEMBERSHIPS}/changes`, {
    headers: { Authorization: `Bearer ${await mary.token(['NURSE'])}` },
    signal: stop.signal,
  });
  const reader = (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const until = async (part: string) => {
    while (!text.includes(part)) text += (await reader.read()).value ?? '';
  };
  await until('event: reset');
  const { id } = await grant();
  await until(id);
  stop.abort();
  expect(text).toContain(id);
});

it('is written by administrators only', async () => {
  expect(await outcome('POST', MEMBERSHIPS, { patientId, tierId: gold.id }, reception)).toBe('FORBIDDEN');
  expect(await outcome('POST', MEMBERSHIPS, { patientId, tierId: gold.id }, admin)).toBe(201);
});
