/** The signing key of the realm `console`, which the operator rotates on request and by schedule. */
import { dataOf } from '@hms/api-client';
import { requestReconcile } from '@hms/database';
import { CONSOLE_REALM } from '@hms/tenancy';
import { afterAll, describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import { hmsctl } from '../../cli/src/testing.ts';
import { platform } from '../platform.ts';
import { consolePerson, consoleSession } from '../support/console-people.ts';
import { Engines } from '../support/engines.ts';
import { api, tokenOf } from '../support/gateway.ts';
import { eventsOf } from '../support/hospitals.ts';
import { asKeycloakAdmin } from '../support/keycloak-admin.ts';
import { until } from '../support/until.ts';

const SLOW = 120_000;
const DAY_MS = 86_400_000;
const realm = CONSOLE_REALM;
const engines = new Engines(platform());
afterAll(() => engines.close());

const kidOf = (token: string) => decodeProtectedHeader(token).kid;

/** The key that the realm signs with: its ID in tokens, and that of its component. */
async function signingKey() {
  const { active, keys = [] } = await (await asKeycloakAdmin()).realms.getKeys({ realm });
  const kid = active?.RS256;
  return { kid, component: keys.find((key) => key.kid === kid)?.providerId ?? '' };
}

const whenRotated = (from: string | undefined) =>
  until('another signing key', signingKey, ({ kid }) => kid !== from, 60_000);

const viaGateway = async (token: string) => (await api(token).GET('/api/console/permissions')).response.status;

/** Without the gateway, which knows one key. */
async function atModule(token: string): Promise<number> {
  const url = `http://127.0.0.1:${platform().ports.console}/api/console/permissions`;
  return (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status;
}

describe('the signing key of the realm console', () => {
  it(
    'is rotated on request, and one refresh replaces a token of the former key',
    async () => {
      const person = await consolePerson('PLATFORM_ADMIN');
      const { accessToken: before, refreshToken } = await consoleSession(person);
      expect([await viaGateway(before), await atModule(before)]).toEqual([200, 200]);

      const env = { HMS_DATA_DIR: platform().dataDir };
      expect(await hmsctl(['console', 'rotate-key'], { env })).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('the realm console gets a new signing key'),
      });
      const { kid } = await whenRotated(kidOf(before));
      await until(
        'the gateway to follow',
        () => viaGateway(before),
        (status) => status === 401,
      );
      expect(await atModule(before)).toBe(200);

      const { accessToken: refreshed } = await dataOf(api().POST('/api/auth/refresh', { body: { refreshToken } }));
      const { accessToken: after } = await consoleSession(person);
      for (const token of [refreshed, after]) {
        expect(kidOf(token)).toBe(kid);
        expect([await viaGateway(token), await atModule(token)]).toEqual([200, 200]);
      }
      // The request is answered: another check of the operator changes nothing.
      await requestReconcile(engines.db, realm);
      expect((await signingKey()).kid).toBe(kid);
    },
    SLOW,
  );

  it(
    'is rotated by schedule',
    async () => {
      const { kid, component } = await signingKey();
      const { components } = await asKeycloakAdmin();
      const old = await components.findOne({ realm, id: component });
      const since = new Date(Date.now() - 92 * DAY_MS).toISOString();
      // With the mark of the last request, which the key still answers.
      const [, , mark = ''] = old?.name?.split(' ') ?? [];
      await components.update({ realm, id: component }, { ...old, name: `hms-signing ${since} ${mark}`.trim() });
      await requestReconcile(engines.db, realm);
      const rotated = await whenRotated(kid);
      const { accessToken } = await consoleSession(await consolePerson('PLATFORM_ADMIN'));
      expect(kidOf(accessToken)).toBe(rotated.kid);
      await until(
        'the gateway to follow',
        () => viaGateway(accessToken),
        (status) => status === 200,
      );
    },
    SLOW,
  );

  it(
    'may be another one that somebody added in Keycloak: the gateway takes its tokens after the first login',
    async () => {
      // An earlier reconcile may have a check pending that also finds the first key.
      for (const priority of [200, 300]) {
        await engines.rotateKey(realm, priority);
        const token = await tokenOf(realm, 'PLATFORM_ADMIN');
        await until(
          'the new token to pass',
          () => viaGateway(token),
          (status) => status === 200,
        );
      }
      await until(
        'the event about the key',
        () => eventsOf('hms-operator'),
        (events) => events.some(({ message }) => message.includes('update credential console (rsa_public_key)')),
      );
    },
    SLOW,
  );
});
