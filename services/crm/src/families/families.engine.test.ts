import type { Family, FamilyWithMembers, Member } from '@hms/domain/families';
import { mergePatient } from '@hms/domain/patients';
import { workFor } from '@hms/service';
import { createTestHospital } from '@hms/service/testing';
import { describe, expect, it } from '@jest/globals';
import { crm, mary, type Person, person, reception, within } from '../testing.ts';

type AddedMember = Member & { readonly closedFamilyId: string | null };

const FAMILIES = '/api/crm/families';

const send = (method: string, path: string, body?: unknown, token = reception) =>
  crm.send(method, `${FAMILIES}${path}`, { token, ...(body === undefined ? {} : { body }) });

const add = (familyId: string, patientId: string) =>
  send('POST', `/${familyId}/members`, { patientId, relation: 'child' });

async function read(id: string): Promise<FamilyWithMembers> {
  const answer = await send('GET', `/${id}`);
  expect(answer.status).toBe(200);
  return answer.data<FamilyWithMembers>();
}

describe('families', () => {
  it('are listed with the fields of the interface, newest first', async () => {
    const jane = await person('Jane');
    const john = await person('John');
    const answer = await send('GET', '');
    expect(answer).toMatchObject({ status: 200, success: true, meta: { page: 1, limit: 20, total: 2 } });
    expect(answer.data<Family[]>().map(({ id }) => id)).toEqual([john.familyId, jane.familyId]);
    expect(answer.data<Family[]>()[1]).toMatchObject({
      id: jane.familyId,
      hospitalId: mary.hospital.id,
      familyCode: 'FAM-000001',
      primaryContactId: jane.patientId,
    });
  });

  it('are found by name, code, member and the name of a member', async () => {
    const jane = await person('Jane');
    await person('John');
    for (const query of [
      'q=jane',
      'q=fam-000001',
      'q=jane%20doe',
      `patientId=${jane.patientId}`,
      'familyCode=fam-000001',
    ]) {
      const answer = await send('GET', `?${query}`);
      expect([query, answer.data<Family[]>().map(({ id }) => id)]).toEqual([query, [jane.familyId]]);
    }
    expect((await send('GET', '?name=Doe&sort=familyCode')).meta?.total).toBe(2);
  });

  it('are created with a primary contact, whose former family is closed', async () => {
    const jane = await person('Jane');
    const answer = await send('POST', '', { name: 'Doe-Roe', primaryContactId: jane.patientId });
    expect(answer.status).toBe(201);
    const family = answer.data<FamilyWithMembers>();
    expect(family).toMatchObject({ name: 'Doe-Roe', familyCode: 'FAM-000002', primaryContactId: jane.patientId });
    expect(family.members).toMatchObject([{ patientId: jane.patientId, relation: 'self', isPayer: true }]);
    expect((await send('GET', `/${jane.familyId}`)).error.code).toBe('FAMILY_NOT_FOUND');
  });

  it('can be renamed, but not with a stale version', async () => {
    const { familyId } = await person('Jane');
    const answer = await send('PUT', `/${familyId}`, { name: 'Roe', version: 1 });
    expect(answer.data<FamilyWithMembers>()).toMatchObject({ name: 'Roe', version: 2 });
    expect((await send('PUT', `/${familyId}`, { name: 'Poe', version: 1 })).error.code).toBe('STALE_VERSION');
    expect((await send('PUT', `/${familyId}`, { name: null })).error.message).toBe('name can not be null');
  });

  it('are deleted if the primary contact is the only member', async () => {
    const [jane, john] = [await person('Jane'), await person('John')];
    await add(jane.familyId, john.patientId);
    const refused = await send('DELETE', `/${jane.familyId}`);
    expect(refused).toMatchObject({ status: 409, error: { code: 'FAMILY_HAS_MEMBERS' } });
    const [, child] = (await read(jane.familyId)).members;
    await send('DELETE', `/${jane.familyId}/members/${child?.id}`);
    expect((await send('DELETE', `/${jane.familyId}`)).data<Family>()).toMatchObject({ primaryContactId: null });
    expect((await send('GET', `/${jane.familyId}`)).status).toBe(404);
  });

  it('are suggested for a new patient by phone number, and by last name as searches compare names', async () => {
    const [jane, john] = [await person('Jane'), await person('John', mary, { lastName: 'Muñoz-Pérez' })];
    await person('Eve', mary, { lastName: 'Munozperezson', phone: '+6281299999999' });
    await person('Doe', mary, { lastName: 'Roe', phone: '+6281299999998' });
    const suggested = async (query: Readonly<Record<string, string>>) =>
      (await send('GET', `/suggestions?${new URLSearchParams(query)}`))
        .data<(FamilyWithMembers & { hasPhone: boolean; hasName: boolean })[]>()
        .map(({ id, hasPhone, hasName, members }) => ({
          id,
          hasPhone,
          hasName,
          names: members.map((m) => m.firstName),
        }));
    const byName = { id: john.familyId, hasPhone: false, hasName: true, names: ['John'] };
    for (const lastName of ['munoz perez', 'MUÑOZ‑PÉREZ', 'MunozPerez'])
      expect(await suggested({ lastName })).toEqual([byName]);
    expect(await suggested({ lastName: 'Doe', phone: '+62 812-3456-7890' })).toEqual([
      { id: jane.familyId, hasPhone: true, hasName: true, names: ['Jane'] },
      { ...byName, hasPhone: true, hasName: false },
    ]);
    for (const lastName of ['Munoz', 'Nobody', '--', '%', '\\'])
      expect([lastName, await suggested({ lastName })]).toEqual([lastName, []]);
    expect(await suggested({})).toEqual([]);
    expect((await send('GET', '/suggestions?phone=1')).error.code).toBe('VALIDATION_FAILED');
  });

  it("of another hospital are 404, and its patients can't be added", async () => {
    const jane = await person('Jane');
    const other = await createTestHospital(crm.operator, crm.issuer);
    const token = await other.token(['OWNER']);
    const eve = await person('Eve', other);
    expect((await send('GET', `/${jane.familyId}`, undefined, token)).status).toBe(404);
    expect((await send('PUT', `/${jane.familyId}`, { name: 'Eve' }, token)).status).toBe(404);
    expect((await send('POST', `/${jane.familyId}/members`, { patientId: eve.patientId }, token)).status).toBe(404);
    const added = await add(jane.familyId, eve.patientId);
    expect(added).toMatchObject({ status: 404, error: { code: 'PATIENT_NOT_FOUND' } });
  });

  it('can be changed by RECEPTION and administrators, and read by all staff', async () => {
    const jane = await person('Jane');
    const nurse = await mary.token(['NURSE']);
    expect((await send('GET', `/${jane.familyId}`, undefined, nurse)).status).toBe(200);
    expect((await send('PUT', `/${jane.familyId}`, { name: 'Roe' }, nurse)).status).toBe(403);
    expect((await send('GET', '', undefined, await mary.token(['DISPLAY']))).status).toBe(403);
  });
});

describe('members', () => {
  it('move from a family in which they are alone, which is then closed', async () => {
    const [jane, john] = [await person('Jane'), await person('John')];
    const answer = await add(jane.familyId, john.patientId);
    expect(answer.status).toBe(201);
    expect(answer.data<AddedMember>()).toMatchObject({
      familyId: jane.familyId,
      patientId: john.patientId,
      firstName: 'John',
      relation: 'child',
      isPayer: false,
      leftAt: null,
      closedFamilyId: john.familyId,
    });
    expect((await send('GET', `/${john.familyId}`)).status).toBe(404);
    const listed = await send('GET', `/${jane.familyId}/members`);
    expect(listed.data<Member[]>().map(({ firstName }) => firstName)).toEqual(['Jane', 'John']);
  });

  it('of a family with others can’t be added to another family', async () => {
    const [jane, john, kate] = [await person('Jane'), await person('John'), await person('Kate')];
    await add(jane.familyId, john.patientId);
    for (const patientId of [john.patientId, jane.patientId]) {
      const refused = await add(kate.familyId, patientId);
      expect(refused).toMatchObject({
        status: 409,
        error: { code: 'ALREADY_FAMILY_MEMBER', details: { familyId: jane.familyId } },
      });
    }
    expect((await add(jane.familyId, john.patientId)).error.code).toBe('ALREADY_FAMILY_MEMBER');
  });

  it('who are merged stay members, marked, and join others as the survivor', async () => {
    const [jane, alias, john] = [await person('Jane'), await person('Janet'), await person('John')];
    await workFor(crm.platform, mary.hospital, 'test', (work) => mergePatient(work, alias.patientId, jane.patientId));
    expect((await read(alias.familyId)).members).toMatchObject([
      { firstName: 'Janet', survivorId: jane.patientId, relation: 'self', isPayer: true },
    ]);
    const added = await add(john.familyId, alias.patientId);
    expect(added.data<AddedMember>()).toMatchObject({ patientId: jane.patientId, closedFamilyId: jane.familyId });
  });

  it('move in one step from a family with others, if the request names it', async () => {
    const [jane, john, kate] = [await person('Jane'), await person('John'), await person('Kate')];
    await add(jane.familyId, john.patientId);
    const move = (patientId: string, fromFamilyId: string) =>
      send('POST', `/${kate.familyId}/members`, { patientId, relation: 'spouse', fromFamilyId });
    expect((await move(john.patientId, kate.familyId)).error.code).toBe('ALREADY_FAMILY_MEMBER');
    expect((await move(jane.patientId, jane.familyId)).error.code).toBe('PRIMARY_CONTACT_REQUIRED');
    const moved = await move(john.patientId, jane.familyId);
    expect(moved.data<AddedMember>()).toMatchObject({ familyId: kate.familyId, closedFamilyId: null });
    expect((await read(jane.familyId)).members).toHaveLength(1);
    expect((await read(kate.familyId)).members).toMatchObject([{ firstName: 'Kate' }, { relation: 'spouse' }]);
  });

  it('move in one step as primary contact and payer, if the request says who takes over', async () => {
    const [jane, john, mia, kate] = [
      await person('Jane'),
      await person('John'),
      await person('Mia'),
      await person('Kate'),
    ];
    await add(jane.familyId, john.patientId);
    await add(jane.familyId, mia.patientId);
    const move = (handOver: object) =>
      send('POST', `/${kate.familyId}/members`, {
        ...{ patientId: jane.patientId, relation: 'spouse', fromFamilyId: jane.familyId, handOver },
      });
    const [primaryContactId, payerId] = [john.patientId, mia.patientId];
    const relations = [{ patientId: mia.patientId, relation: 'child' }];
    expect(await move({ payerId })).toMatchObject({ status: 409, error: { code: 'PRIMARY_CONTACT_REQUIRED' } });
    const unasked = await move({ primaryContactId, payerId });
    expect(unasked).toMatchObject({ status: 422, error: { code: 'RELATIONS_REQUIRED' } });
    expect(unasked.error.details?.members).toMatchObject([{ patientId: mia.patientId }]);
    expect((await move({ primaryContactId, relations })).error.code).toBe('PAYER_REQUIRED');
    const itself = await move({ primaryContactId, relations, payerId: jane.patientId });
    expect(itself.error.code).toBe('PAYER_NOT_MEMBER');
    const stranger = await move({ primaryContactId: kate.patientId, relations, payerId });
    expect(stranger.error.code).toBe('PRIMARY_CONTACT_NOT_MEMBER');
    // A refused move changes nothing.
    expect(await read(jane.familyId)).toMatchObject({ primaryContactId: jane.patientId, payerId: jane.patientId });
    expect(await move({ primaryContactId, relations, payerId })).toMatchObject({ status: 201 });
    expect(await read(jane.familyId)).toMatchObject({ primaryContactId, payerId, members: [{}, {}] });
    expect((await read(jane.familyId)).members).toMatchObject([
      { firstName: 'John', relation: 'self' },
      { firstName: 'Mia', relation: 'child', isPayer: true },
    ]);
    expect((await read(kate.familyId)).members).toMatchObject([{ firstName: 'Kate' }, { firstName: 'Jane' }]);
  });

  it('can leave, except the primary contact, and may then join another family', async () => {
    const [jane, john, kate] = [await person('Jane'), await person('John'), await person('Kate')];
    await add(jane.familyId, john.patientId);
    const [contact, child] = (await read(jane.familyId)).members;
    const refused = await send('DELETE', `/${jane.familyId}/members/${contact?.id}`);
    expect(refused).toMatchObject({ status: 409, error: { code: 'PRIMARY_CONTACT_REQUIRED' } });
    expect((await read(jane.familyId)).members).toHaveLength(2);
    const removal = await send('DELETE', `/${jane.familyId}/members/${child?.id}`);
    expect(removal.data<Member>().leftAt).toEqual(expect.any(String));
    expect((await send('DELETE', `/${jane.familyId}/members/${child?.id}`)).error.code).toBe('FAMILY_MEMBER_NOT_FOUND');
    expect((await add(kate.familyId, john.patientId)).data<AddedMember>().closedFamilyId).toBeNull();
  });

  it('are no second self of a family', async () => {
    const [jane, john] = [await person('Jane'), await person('John')];
    const refused = await send('POST', `/${jane.familyId}/members`, { patientId: john.patientId, relation: 'self' });
    expect(refused).toMatchObject({ status: 409, error: { code: 'FAMILY_HAS_SELF' } });
    expect(refused.error.details).toMatchObject({ fields: [{ field: 'relation', in: 'body' }] });
  });

  it('are one self and one payer by the rules of the database', async () => {
    const [jane, john, eve] = [await person('Jane'), await person('John'), await person('Eve')];
    await add(jane.familyId, john.patientId);
    const refusal = (sql: string, ...values: readonly string[]) =>
      within(({ trx }) => trx.query(sql, [jane.familyId, ...values])).then(
        () => 'none',
        ({ message }: Error) => message,
      );
    expect(await refusal("UPDATE family_members SET relation = 'self' WHERE family_id = $1")).toMatch(
      /family_members_one_self/,
    );
    expect(await refusal('UPDATE families SET payer_id = NULL WHERE id = $1')).toMatch(/families_payer_required/);
    expect(await refusal('UPDATE families SET payer_id = $2 WHERE id = $1', eve.patientId)).toMatch(
      /families_payer_is_member/,
    );
  });

  it('can become primary contact, but others can’t', async () => {
    const [jane, john, kate] = [await person('Jane'), await person('John'), await person('Kate')];
    await add(jane.familyId, john.patientId);
    const path = `/${jane.familyId}/primary-contact`;
    expect((await send('PUT', path, { patientId: kate.patientId })).error.code).toBe('PRIMARY_CONTACT_NOT_MEMBER');
    const relations = [{ patientId: jane.patientId, relation: 'parent' }];
    const answer = await send('PUT', path, { patientId: john.patientId, relations });
    expect(answer.data<FamilyWithMembers>().primaryContactId).toBe(john.patientId);
    const [former] = answer.data<FamilyWithMembers>().members;
    expect((await send('DELETE', `/${jane.familyId}/members/${former?.id}?payerId=${john.patientId}`)).status).toBe(
      200,
    );
  });

  it('have the relations to a new primary contact that the request gives, and none is concluded', async () => {
    const [jane, john, kate] = [await person('Jane'), await person('John'), await person('Kate')];
    for (const { patientId } of [john, kate]) await add(jane.familyId, patientId);
    const change = (...relations: readonly (readonly [Person, string])[]) =>
      send('PUT', `/${jane.familyId}/primary-contact`, {
        patientId: john.patientId,
        relations: relations.map(([{ patientId }, relation]) => ({ patientId, relation })),
      });
    const refused = await change([jane, 'parent']);
    expect(refused).toMatchObject({ status: 422, error: { code: 'RELATIONS_REQUIRED' } });
    expect(refused.error.details).toMatchObject({
      fields: [{ field: 'relations' }],
      members: [{ patientId: kate.patientId, firstName: 'Kate' }],
    });
    expect((await change()).error.details?.members).toHaveLength(2);
    for (const other of [john, await person('Eve'), jane])
      expect((await change([jane, 'parent'], [kate, 'other'], [other, 'child'])).error.code).toBe(
        'RELATION_NOT_OF_MEMBER',
      );
    expect((await change([jane, 'self'], [kate, 'other'])).error.code).toBe('VALIDATION_FAILED');
    expect((await read(jane.familyId)).members.map(({ relation }) => relation)).toEqual(['self', 'child', 'child']);
    const changed = await change([jane, 'parent'], [kate, 'other']);
    expect(changed.data<FamilyWithMembers>().members.map(({ relation }) => relation)).toEqual([
      'parent',
      'self',
      'other',
    ]);
    // It is the primary contact already.
    expect((await change()).status).toBe(200);
  });

  it('keep one self when two of them become primary contact at once', async () => {
    const [jane, john, kate] = [await person('Jane'), await person('John'), await person('Kate')];
    for (const { patientId } of [john, kate]) await add(jane.familyId, patientId);
    const all = [jane, john, kate];
    await Promise.all(
      Array.from({ length: 9 }, (_, n) => {
        const patientId = all[n % 3]?.patientId;
        const relations = all
          .filter((one) => one.patientId !== patientId)
          .map((one) => ({ patientId: one.patientId, relation: 'other' }));
        return send('PUT', `/${jane.familyId}/primary-contact`, { patientId, relations });
      }),
    );
    const { primaryContactId, members } = await read(jane.familyId);
    const selves = members.filter(({ relation }) => relation === 'self');
    expect(selves.map(({ patientId }) => patientId)).toEqual([primaryContactId]);
  });

  it('have one payer, who hands over before leaving', async () => {
    const [jane, john, kate] = [await person('Jane'), await person('John'), await person('Kate')];
    await add(jane.familyId, john.patientId);
    const { familyId } = jane;
    await send('POST', `/${familyId}/members`, { patientId: kate.patientId, relation: 'child', isPayer: true });
    const payers = async () =>
      (await read(familyId)).members.filter(({ isPayer }) => isPayer).map(({ patientId }) => patientId);
    expect(await payers()).toEqual([kate.patientId]);
    const eve = await person('Eve');
    const refused = await send('PUT', `/${familyId}`, { payerId: eve.patientId });
    expect(refused).toMatchObject({ status: 409, error: { code: 'PAYER_NOT_MEMBER' } });
    expect(refused.error.details).toMatchObject({ fields: [{ field: 'payerId' }] });
    expect((await send('PUT', `/${familyId}`, { payerId: null })).error.code).toBe('VALIDATION_FAILED');
    const path = `/${familyId}/members/${(await read(familyId)).members[2]?.id}`;
    expect((await send('DELETE', path)).error.code).toBe('PAYER_REQUIRED');
    for (const { patientId } of [kate, eve])
      expect((await send('DELETE', `${path}?payerId=${patientId}`)).error.code).toBe('PAYER_NOT_MEMBER');
    expect(await payers()).toEqual([kate.patientId]);
    expect((await send('DELETE', `${path}?payerId=${john.patientId}`)).data<Member>()).toMatchObject({
      isPayer: false,
    });
    expect(await payers()).toEqual([john.patientId]);
  });

  it('have one payer whatever is asked at once', async () => {
    const [jane, john, kate] = [await person('Jane'), await person('John'), await person('Kate')];
    for (const { patientId } of [john, kate]) await add(jane.familyId, patientId);
    const [, second, third] = (await read(jane.familyId)).members;
    await send('PUT', `/${jane.familyId}`, { payerId: john.patientId });
    const answers = await Promise.all([
      send('DELETE', `/${jane.familyId}/members/${second?.id}?payerId=${kate.patientId}`),
      send('DELETE', `/${jane.familyId}/members/${third?.id}`),
      send('PUT', `/${jane.familyId}`, { payerId: kate.patientId }),
      send('PUT', `/${jane.familyId}`, { payerId: john.patientId }),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    const { payerId, members } = await read(jane.familyId);
    expect(members.filter(({ isPayer }) => isPayer).map(({ patientId }) => patientId)).toEqual([payerId]);
  });

  it('end in one family when parallel requests add the same patient to different families', async () => {
    const john = await person('John');
    const others = await Promise.all(Array.from({ length: 8 }, (_, n) => person(`P${n}`)));
    const answers = await Promise.all(others.map(({ familyId }) => add(familyId, john.patientId)));
    // The first move leaves the patient with others, so every later one is refused.
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    expect((await send('GET', `?patientId=${john.patientId}`)).meta?.total).toBe(1);
  });

  it('are never added to a family that is being closed', async () => {
    const trios = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => Promise.all([person(`A${n}`), person(`B${n}`), person(`C${n}`)])),
    );
    await Promise.all(
      trios.flatMap(([mover, newcomer, other]) => [
        add(other.familyId, mover.patientId),
        add(mover.familyId, newcomer.patientId),
      ]),
    );
    const lost = await crm.platform.tenants.inTenant(mary.hospital, (trx) =>
      trx.query(`SELECT m.id FROM family_members m JOIN families f ON f.id = m.family_id
        WHERE m.left_at IS NULL AND f.deleted_at IS NOT NULL`),
    );
    expect(lost).toEqual([]);
  });

  it('who add each other in parallel do not deadlock', async () => {
    const [jane, john] = [await person('Jane'), await person('John')];
    const answers = await Promise.all([add(jane.familyId, john.patientId), add(john.familyId, jane.patientId)]);
    const codes = answers.map(({ status, error }) => (status === 201 ? 'added' : error.code)).sort();
    expect(['ALREADY_FAMILY_MEMBER', 'FAMILY_NOT_FOUND']).toContain(codes[0]);
    expect(codes[1]).toBe('added');
    expect((await send('GET', '')).meta?.total).toBe(1);
  });

  it.each([
    [{}, 'patientId', 'is required'],
    [{ patientId: 'x' }, 'patientId', 'must be a UUID'],
    [
      { patientId: '00000000-0000-4000-8000-000000000000', relation: 'cousin' },
      'relation',
      'must be one of self, spouse, child, parent, other',
    ],
  ])('are refused as %j', async (body, field, message) => {
    const { familyId } = await person('Jane');
    const answer = await send('POST', `/${familyId}/members`, body);
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED', message: `${field} ${message}` } });
  });
});
