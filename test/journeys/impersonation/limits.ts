import { setTimeout as delay } from 'node:timers/promises';
import type { Schemas } from '@hms/api-client';
import type { PortName } from '@hms/local';
import { CONSOLE_REALM } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { consolePerson, consoleSession } from '../../support/console-people.ts';
import { call } from '../../support/gateway.ts';
import { asKeycloakAdmin } from '../../support/keycloak-admin.ts';
import { until } from '../../support/until.ts';
import {
  accountOf,
  acting,
  admin,
  adminToken,
  at,
  audit,
  begin,
  create,
  email,
  end,
  engines,
  everywhere,
  expectRefused,
  hospital,
  outcome,
  patients,
  renew,
  SHORT,
  SLOW,
  secretFor,
  short,
  state,
  support,
  supportToken,
} from './scene.ts';

describe('an impersonation', () => {
  it('gives a short token of the person that names its actor, through the gateway', async () => {
    const { id, token } = await acting();
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({
      sub: await accountOf(email('DOCTOR')),
      email: email('DOCTOR'),
      azp: 'hms-impersonation',
      act: { sub: 'hms-impersonation' },
      aud: 'hms-api',
    });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBeLessThanOrEqual(120);
    const me = await call('GET', '/api/auth/me', { token });
    expect(me.body?.data).toMatchObject({
      email: email('DOCTOR'),
      roles: ['DOCTOR'],
      impersonation: { id, actorEmail: support.email, mode: 'read' },
    });
    expect((await call('GET', '/api/hms/patients', { token })).status).toBe(200);
    expect(new Set(await everywhere(token))).toEqual(new Set([200]));
  });

  it('is renewed until it ends, by any process', async () => {
    const live = await acting();
    const answers = [await renew(live), await renew(live, short)];
    expect(answers.map(outcome)).toEqual([200, 200]);
    const [one, two] = answers.map((answer) => answer.data<Schemas['ImpersonationToken']>().accessToken);
    expect(one).not.toBe(two);
    for (const token of [live.token, one ?? '', two ?? '']) expect(outcome(await patients(token))).toBe(200);
  });

  it('may only read', async () => {
    const { token } = await acting({ role: 'RECEPTION' });
    expect(outcome(await patients(token))).toBe(200);
    const refused = await create(token);
    expect([refused.status, outcome(refused)]).toEqual([403, 'IMPERSONATION_READ_ONLY']);
    const families = await at('crm', 'POST', '/api/crm/families', { token, body: {} });
    expect(outcome(families)).toBe('IMPERSONATION_READ_ONLY');
  });

  it('may write for an administrator of the platform who asks for it, and for nobody else', async () => {
    expect(outcome(await create((await acting({ token: adminToken, role: 'RECEPTION' })).token))).toBe(
      'IMPERSONATION_READ_ONLY',
    );
    const live = await acting({ token: adminToken, role: 'RECEPTION', body: { mode: 'write' } });
    expect(outcome(await create(live.token))).toBe(201);
    const refused = await begin({ body: { mode: 'write' } });
    expect([refused.status, outcome(refused)]).toEqual([403, 'FORBIDDEN']);
  });

  it('never does what only the person may do', async () => {
    const { token } = await acting({ token: adminToken, role: 'ADMIN', body: { mode: 'write' } });
    const id = '0198a5a0-0000-7000-8000-000000000000';
    const requests: readonly (readonly [PortName, string, string, object])[] = [
      ['auth', 'PUT', '/api/auth/password', { currentPassword: 'a', newPassword: 'b' }],
      ['auth', 'POST', '/api/auth/displays', { code: 'BBBB-BBBB', name: 'A', clinicIds: [id] }],
      ['auth', 'PUT', `/api/auth/displays/${id}`, {}],
      ['auth', 'DELETE', `/api/auth/displays/${id}`, {}],
      ['auth', 'POST', `/api/auth/displays/${id}/identify`, {}],
      ['hms-1', 'POST', '/api/hms/employees', {}],
      ['hms-1', 'PUT', `/api/hms/employees/${id}`, {}],
      ...['suspend', 'activate', 'terminate', 'resend-invite'].map(
        (step) => ['hms-1', 'POST', `/api/hms/employees/${id}/${step}`, {}] as const,
      ),
    ];
    for (const [process, method, path, body] of requests) {
      const answer = await at(process, method, path, { token, body });
      expect([path, answer.status, outcome(answer)]).toEqual([path, 403, 'IMPERSONATION_FORBIDDEN']);
    }
    // Nor another impersonation: nobody of a hospital may begin one at all.
    expect(outcome(await begin({ token }))).toBe('FORBIDDEN');
    expect(outcome(await at('hms-1', 'GET', '/api/hms/employees', { token }))).toBe(200);
  });

  it('is refused by every module within two seconds after its end, and can not be renewed', async () => {
    const live = await acting();
    expect(new Set(await everywhere(live.token))).toEqual(new Set([200]));
    const ended = await end(live.id, supportToken);
    expect(ended.data<Schemas['Impersonation']>()).toMatchObject({ isLive: false, endedBy: support.email });
    await expectRefused(live.token);
    expect(outcome(await renew(live))).toBe('IMPERSONATION_ENDED');
    expect(outcome(await end(live.id, supportToken))).toBe(200);
  });

  it('ends with its own token, also if it may only read, and ends no other with it', async () => {
    const [live, foreign] = [await acting(), await acting({ token: adminToken, role: 'RECEPTION' })];
    expect(outcome(await end(foreign.id, live.token))).toBe('IMPERSONATION_UNKNOWN');
    expect(outcome(await end(live.id, live.token))).toBe(200);
    await expectRefused(live.token);
    expect(outcome(await patients(foreign.token))).toBe(200);
  });

  it('ends when its actor begins another one, even if many begin at once', async () => {
    const former = await acting();
    const answers = await Promise.all(Array.from({ length: 20 }, () => begin()));
    expect(answers.map(outcome)).toEqual(answers.map(() => 201));
    await expectRefused(former.token);
    const begun = answers.map((answer) => answer.data<Schemas['StartedImpersonation']>());
    const redeemed = await Promise.all(
      begun.map(({ impersonation, code }) => secretFor(impersonation.id, { hospital, code })),
    );
    expect(redeemed.map(outcome).sort()).toEqual([200, ...answers.slice(1).map(() => 'IMPERSONATION_ENDED')]);
  });

  it('ends when its actor logs out of the console, or has no session there any more', async () => {
    const person = await consolePerson('PLATFORM_SUPPORT');
    const [first, second] = [await consoleSession(person), await consoleSession(person)];
    const logOut = (refreshToken: string) => at('auth', 'POST', '/api/auth/logout', { body: { refreshToken } });
    const live = await acting({ token: first.accessToken });
    // Another browser of the same person is still logged in.
    expect(outcome(await logOut(second.refreshToken))).toBe(200);
    expect(outcome(await renew(live))).toBe(200);
    expect(outcome(await logOut(first.refreshToken))).toBe(200);
    await expectRefused(live.token);
    const again = await consoleSession(person);
    const next = await acting({ token: again.accessToken });
    await (await asKeycloakAdmin()).users.logout({ realm: CONSOLE_REALM, id: person.id });
    expect(outcome(await renew(next))).toBe('FORBIDDEN');
    expect(outcome(await renew(next))).toBe('IMPERSONATION_ENDED');
  });

  it('of one person by two people at once keeps them apart', async () => {
    const [one, two] = [await acting(), await acting({ token: adminToken })];
    const actors = await Promise.all(
      [one, two].map(async ({ token }) => (await at('auth', 'GET', '/api/auth/me', { token })).data<Schemas['Me']>()),
    );
    expect(actors.map(({ impersonation }) => impersonation?.actorEmail)).toEqual([support.email, admin.email]);
    await end(one.id, supportToken);
    await expectRefused(one.token);
    expect(outcome(await renew(two))).toBe(200);
  });

  it(
    'lasts no longer than its time, whatever its tokens say',
    async () => {
      const started = Date.now();
      const live = await acting({ at: short });
      const { exp = 0 } = decodeJwt(live.token);
      expect(exp * 1000).toBeLessThanOrEqual(started + (SHORT + 2) * 1000);
      expect(outcome(await patients(live.token))).toBe(200);
      await delay(started + SHORT * 1000 + 1_000 - Date.now());
      expect(new Set(await everywhere(live.token))).toEqual(new Set(['UNAUTHENTICATED']));
      expect(outcome(await renew(live))).toBe('IMPERSONATION_ENDED');
      expect(outcome(await renew(live, short))).toBe('IMPERSONATION_ENDED');
      // PostgreSQL itself keeps no longer one.
      const longer = engines.db.raw(
        `UPDATE platform.impersonations SET ends_at = started_at + interval '16 minutes' WHERE id = ?`,
        [live.id],
      );
      await expect(longer).rejects.toMatchObject({ code: '23514' });
      const ends = () => audit(`impersonationId=${live.id}&action=impersonate.end`);
      const [event] = await until('the end in the audit log', ends, ({ length }) => length === 1, 20_000);
      expect(event).toMatchObject({ details: { endedBy: null } });
    },
    SLOW,
  );

  it('has token and event stream end with it', async () => {
    const live = await acting();
    const stream = await fetch(`http://127.0.0.1:${state.ports['hms-1']}/api/hms/patients/changes`, {
      headers: { Authorization: `Bearer ${live.token}` },
    });
    expect(stream.status).toBe(200);
    await end(live.id, supportToken);
    const text = await stream.text();
    expect(text).toContain('event: reset');
  });
});
