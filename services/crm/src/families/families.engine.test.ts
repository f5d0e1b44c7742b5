import type { Family, FamilyWithMembers, Member } from '@hms/domain/families';
import { mergePatient } from '@hms/domain/patients';
import { workFor } from '@hms/service';
import { createTestHospital } from '@hms/service/testing';
import { describe, expect, it } from '@jest/globals';
import { crm, mary, person, reception } from '../testing.ts';

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
    expect((await read(alias.familyId)).members).toMatchObject([{ firstName: 'Janet', survivorId: jane.patientId }]);
    const added = await add(john.familyId, alias.patientId);
    expect(added.data<AddedMember>()).toMatchObject({ patientId: jane.patientId, closedFamilyId: jane.familyId });
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

  it('can become primary contact, but others can’t', async () => {
    const [jane, john, kate] = [await person('Jane'), await person('John'), await person('Kate')];
    await add(jane.familyId, john.patientId);
    const path = `/${jane.familyId}/primary-contact`;
    expect((await send('PUT', path, { patientId: kate.patientId })).error.code).toBe('PRIMARY_CONTACT_NOT_MEMBER');
    const answer = await send('PUT', path, { patientId: john.patientId });
    expect(answer.data<FamilyWithMembers>().primaryContactId).toBe(john.patientId);
    const [former] = answer.data<FamilyWithMembers>().members;
    expect((await send('DELETE', `/${jane.familyId}/members/${former?.id}`)).status).toBe(200);
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
