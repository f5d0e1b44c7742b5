import type { Schemas } from '@hms/api-client';
import { demonstrationUser } from '@hms/local';
import { describe, expect, it } from '@jest/globals';
import { applyHospital, freshHospital, whenCondition } from '../../support/hospitals.ts';
import { asKeycloakAdmin } from '../../support/keycloak-admin.ts';
import { until } from '../../support/until.ts';
import {
  accountOf,
  acting,
  adminToken,
  at,
  begin,
  email,
  engines,
  expectRefused,
  hospital,
  IMPERSONATIONS,
  other,
  outcome,
  owner,
  renew,
  SLOW,
  secretFor,
  state,
  support,
  supportToken,
} from './scene.ts';

describe('the people of a hospital', () => {
  it(
    'are found by name, code and address, without owners, and the log of the hospital says who searched',
    async () => {
      const hire = async (firstName: string, role: string) => {
        const body = { firstName, lastName: 'Ó Sé', email: `${firstName}@${hospital}.example`, roles: [role] };
        const hired = await at('hms-1', 'POST', '/api/hms/employees', { token: owner, body });
        const { id, employeeCode } = hired.data<Schemas['Employee']>();
        const read = async () =>
          (await at('hms-1', 'GET', `/api/hms/employees/${id}`, { token: owner })).data<Schemas['Employee']>();
        const { accountId } = await until('the account', read, (one) => one.accountId !== null);
        await engines.db.raw(`UPDATE ??.employees SET status = 'active' WHERE id = ?`, [`h_${hospital}`, id]);
        return { id, employeeCode, accountId };
      };
      const [maeve] = [await hire('Maeve', 'NURSE'), await hire('Orla', 'OWNER')];
      const find = async (q: string, token = supportToken, of = hospital) =>
        at('auth', 'GET', `${IMPERSONATIONS}/people?hospital=${of}&q=${encodeURIComponent(q)}`, { token });
      for (const q of ['o se', 'Sé, Maeve', maeve.employeeCode, `maeve@${hospital}.example`, 'meave'])
        expect([q, (await find(q)).data()]).toMatchObject([q, [{ name: 'Maeve Ó Sé', accountId: maeve.accountId }]]);
      expect((await find('nobody at all')).data()).toEqual([]);
      expect((await find('o se', supportToken, other)).data()).toEqual([]);
      expect(outcome(await find('o se', supportToken, 'no-such-hospital'))).toBe('HOSPITAL_UNKNOWN');
      expect((await find('o')).error.code).toBe('VALIDATION_FAILED');
      expect((await find('o se', owner)).status).toBe(403);
      const log = await at('auth', 'GET', '/api/auth/audit?action=list&record=employees', { token: owner });
      expect(log.data<Schemas['ShownAuditEvent'][]>()).toContainEqual(
        expect.objectContaining({ actorEmail: support.email, details: { q: 'o se', ids: [maeve.id] } }),
      );
    },
    SLOW,
  );
});

describe('nobody acts', () => {
  it.each([
    ['an OWNER', 'OWNER', 'owner'],
    ['a television display', 'DISPLAY', 'display'],
  ] as const)('as %s', async (_, role, reason) => {
    for (const token of [supportToken, adminToken]) {
      const refused = await begin({ token, role });
      expect([refused.status, outcome(refused)]).toEqual([403, 'PERSON_NOT_IMPERSONABLE']);
      expect(refused.error.details).toEqual({ reason });
    }
    const byId = await begin({ body: { email: undefined, accountId: await accountOf(email(role)) } });
    expect(outcome(byId)).toBe('PERSON_NOT_IMPERSONABLE');
  });

  it('as somebody who becomes an OWNER meanwhile', async () => {
    const realm = hospital;
    const live = await acting({ role: 'RECEPTION' });
    const { users, roles } = await asKeycloakAdmin();
    const role = await roles.findOneByName({ realm, name: 'OWNER' });
    const mapping = { realm, id: await accountOf(email('RECEPTION')), roles: [{ id: role?.id ?? '', name: 'OWNER' }] };
    await users.addRealmRoleMappings(mapping);
    const refused = await renew(live);
    await users.delRealmRoleMappings(mapping);
    expect(outcome(refused)).toBe('PERSON_NOT_IMPERSONABLE');
    // It has ended for good.
    expect(outcome(await renew(live))).toBe('IMPERSONATION_ENDED');
    await expectRefused(live.token);
  });

  it(
    'as an employee who is suspended, from the moment of the suspension',
    async () => {
      const employee = { firstName: 'Nora', lastName: 'Night', email: `nora@${hospital}.example`, roles: ['NURSE'] };
      const hired = await at('hms-1', 'POST', '/api/hms/employees', { token: owner, body: employee });
      const { id } = hired.data<Schemas['Employee']>();
      const read = async () =>
        (await at('hms-1', 'GET', `/api/hms/employees/${id}`, { token: owner })).data<Schemas['Employee']>();
      const { accountId } = await until('the account', read, (one) => one.accountId !== null);
      const body = { email: undefined, accountId };
      // Who was only invited has never worked here.
      expect((await begin({ body })).error.details).toEqual({ reason: 'suspended' });
      await engines.db.raw(`UPDATE ??.employees SET status = 'active' WHERE id = ?`, [`h_${hospital}`, id]);
      const live = await acting({ body });
      const { version } = await read();
      const suspended = await at('hms-1', 'POST', `/api/hms/employees/${id}/suspend`, {
        token: owner,
        body: { version },
      });
      expect(outcome(suspended)).toBe(200);
      expect(outcome(await renew(live))).toBe('PERSON_NOT_IMPERSONABLE');
      await expectRefused(live.token);
      expect((await begin({ body })).error.details).toEqual({ reason: 'suspended' });
    },
    SLOW,
  );

  it(
    'at a hospital that is suspended or does not exist, or as nobody',
    async () => {
      expect(outcome(await begin({ body: { hospital: 'no-such-hospital' } }))).toBe('HOSPITAL_UNKNOWN');
      expect(outcome(await begin({ body: { hospital: 'console' } }))).toBe('HOSPITAL_UNKNOWN');
      expect(outcome(await begin({ body: { email: 'nobody@example.org' } }))).toBe('PERSON_UNKNOWN');
      expect(outcome(await begin({ body: { email: undefined } }))).toBe('VALIDATION_FAILED');
      expect(outcome(await begin({ body: { reason: 'too short' } }))).toBe('VALIDATION_FAILED');
      const closed = (await freshHospital()).metadata.name;
      await demonstrationUser(state, closed, 'DOCTOR');
      const body = { hospital: closed, email: email('DOCTOR', closed) };
      const begun = (await begin({ body })).data<Schemas['StartedImpersonation']>();
      await applyHospital(closed, { state: 'Suspended' });
      await whenCondition(closed, 'Suspended', ({ status }) => status === 'True');
      const answers = () => Promise.all([begin({ body }), begin({ body })]);
      const [refused] = await until('the suspension', answers, (all) => all.every(({ status }) => status === 403));
      expect(refused && outcome(refused)).toBe('HOSPITAL_SUSPENDED');
      const late = await secretFor(begun.impersonation.id, { hospital: closed, code: begun.code });
      expect(late.success).toBe(false);
    },
    SLOW,
  );

  it('without the role, a token of the platform, or an account that still has it', async () => {
    expect(outcome(await begin({ token: owner }))).toBe('FORBIDDEN');
    expect(outcome(await at('auth', 'POST', IMPERSONATIONS, { body: {} }))).toBe('UNAUTHENTICATED');
    const live = await acting();
    await support.setRole(false);
    expect(outcome(await renew(live))).toBe('FORBIDDEN');
    await support.setRole(true);
    expect(outcome(await renew(live))).toBe('IMPERSONATION_ENDED');
    await expectRefused(live.token);
  });
});
