/** What the hospital sees of an impersonation. */
import { randomInt } from 'node:crypto';
import type { Schemas } from '@hms/api-client';
import { demonstrationSession } from '@hms/local';
import { describe, expect, it } from '@jest/globals';
import { call } from '../../support/gateway.ts';
import { mailsTo } from '../../support/mails.ts';
import { until } from '../../support/until.ts';
import {
  accountOf,
  acting,
  admin,
  adminToken,
  at,
  audit,
  create,
  email,
  end,
  engines,
  expectRefused,
  hospital,
  IMPERSONATIONS,
  other,
  outcome,
  owner,
  REASON,
  renew,
  SLOW,
  state,
  support,
} from './scene.ts';

describe('the hospital', () => {
  it(
    'sees both people, the reason and the end in its audit log, and who looked at a patient',
    async () => {
      const live = await acting({ token: adminToken, role: 'RECEPTION', body: { mode: 'write' } });
      const { id: patient } = (await create(live.token)).data<{ id: string }>();
      await at('hms-1', 'GET', `/api/hms/patients/${patient}`, { token: live.token });
      await end(live.id, adminToken);
      const both = {
        actor: await accountOf(email('RECEPTION')),
        actorEmail: email('RECEPTION'),
        impersonator: admin.id,
        impersonatorEmail: admin.email,
        impersonationId: live.id,
      };
      const events = await until(
        'the end',
        () => audit(`impersonationId=${live.id}`),
        (all) => all.some(({ action }) => action === 'impersonate.end'),
        20_000,
      );
      expect(events.map(({ action }) => action).sort()).toEqual(
        ['create', 'create', 'create', 'impersonate.end', 'impersonate.start', 'read'].sort(),
      );
      for (const event of events) expect(event).toMatchObject(both);
      const started = events.find(({ action }) => action === 'impersonate.start');
      expect(started).toMatchObject({
        record: 'impersonations',
        recordId: live.id,
        details: { reason: REASON, mode: 'write' },
      });
      const ended = events.find(({ action }) => action === 'impersonate.end');
      expect(ended).toMatchObject({ details: { endedBy: admin.email } });
      const access = await at('hms-1', 'GET', `/api/hms/patients/${patient}/access`, { token: owner });
      expect(access.data<Schemas['ShownAuditEvent'][]>()).toContainEqual(
        expect.objectContaining({ ...both, action: 'read' }),
      );
      const csv = await call('GET', `/api/auth/audit/export?impersonationId=${live.id}`, { token: owner });
      expect(csv.text).toContain(admin.email);
      const { rows } = await engines.db.raw<{ rows: { action: string; actor_email: string }[] }>(
        'SELECT action, actor_email FROM platform.console_events WHERE record_id = ? ORDER BY at',
        [live.id],
      );
      expect(rows).toEqual(
        ['impersonate.start', 'impersonate.end'].map((action) => ({ action, actor_email: admin.email })),
      );
    },
    SLOW,
  );

  it(
    'has its owners told by e-mail who acts as whom, why, and until when',
    async () => {
      const before = (await mailsTo(email('OWNER'))).length;
      const reason = `Ticket <b>${randomInt(1e9)}</b>: nothing is shown`;
      await acting({ token: adminToken, body: { reason, mode: 'write' } });
      const mails = await until(
        'the mail',
        async () => (await mailsTo(email('OWNER'))).slice(before),
        (all) => all.some(({ html }) => html.includes(reason.slice(10, 16))),
        30_000,
      );
      const mail = mails.find(({ html }) => html.includes(reason.slice(10, 16)));
      expect(mail?.subject).toBe(`Platform support acts as ${email('DOCTOR')}`);
      expect(mail?.html).toContain(admin.email);
      expect(mail?.html).toContain('May read and change data.');
      expect(mail?.html).not.toContain('<b>');
      expect(mail?.html).not.toContain('May only read.');
      // Only the owners.
      const others = await mailsTo(email('ADMIN'));
      expect(others.filter(({ subject }) => subject.includes('acts as'))).toEqual([]);
    },
    SLOW,
  );

  it(
    'lists them for owners and administrators, live ones first, and lets an owner end one',
    async () => {
      const [first, live] = [await acting({ token: adminToken }), await acting()];
      await end(first.id, adminToken);
      const hospitalAdmin = (await demonstrationSession(state, hospital, 'ADMIN')).accessToken;
      for (const token of [owner, hospitalAdmin]) {
        const answer = await at('auth', 'GET', `${IMPERSONATIONS}?limit=100`, { token });
        const list = answer.data<Schemas['Impersonation'][]>();
        expect(list[0]).toMatchObject({ id: live.id, isLive: true, reason: REASON, actor: { email: support.email } });
        expect(list.find(({ id }) => id === first.id)).toMatchObject({ isLive: false, endedBy: admin.email });
        expect(answer.meta?.total).toBe(list.length);
      }
      const doctor = (await demonstrationSession(state, hospital, 'DOCTOR')).accessToken;
      expect(outcome(await at('auth', 'GET', IMPERSONATIONS, { token: doctor }))).toBe('FORBIDDEN');
      expect(outcome(await end(live.id, doctor))).toBe('IMPERSONATION_UNKNOWN');
      expect(outcome(await end(live.id, hospitalAdmin))).toBe('FORBIDDEN');
      expect(outcome(await end(live.id, owner))).toBe(200);
      await expectRefused(live.token);
      expect(outcome(await renew(live))).toBe('IMPERSONATION_ENDED');
      const foreign = (await demonstrationSession(state, other, 'OWNER')).accessToken;
      const elsewhere = await at('auth', 'GET', IMPERSONATIONS, { token: foreign });
      expect(elsewhere.data()).toEqual([]);
    },
    SLOW,
  );
});
