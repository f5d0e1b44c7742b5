/** A realm whose hospital demands a second factor, at a real Keycloak: no client issues tokens for a password alone. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import { clientsWithoutPage } from '../../../../test/support/clients.ts';
import { describe as described, type Tenant } from '../backend.ts';
import { testRealm } from './testing.ts';

const SLOW = 60_000;
const FLOW = 'existing session';
const PASSWORD = 'correct-horse-battery';
const { create, backend, tenant, send, exported } = testRealm();
const prefix = tenant.names.realm;
const realmUrl = `${platform().keycloakUrl}/realms/${prefix}`;
const withCode: Tenant = { ...tenant, profile: { ...tenant.profile, secondFactor: 'Email' } };

async function reconcile(wanted = withCode): Promise<readonly string[]> {
  const changes = backend.diff(wanted, await backend.observe(wanted));
  if (changes.length > 0) await backend.apply(wanted, changes);
  return changes.map(described);
}

/** A first page, as a browser without a session gets it. @param endpoint of a login by redirect, or of another page. */
async function loginPage(endpoint = 'auth'): Promise<{ readonly status: number; readonly text: string }> {
  const query = new URLSearchParams({
    client_id: 'hms-portal',
    response_type: 'code',
    scope: 'openid',
    redirect_uri: `${tenant.origins[0]}/`,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  const response = await fetch(`${realmUrl}/protocol/openid-connect/${endpoint}?${query}`);
  return { status: response.status, text: await response.text() };
}

beforeAll(async () => {
  await create();
  await send('POST', '/users', {
    username: 'jane@example.org',
    email: 'jane@example.org',
    emailVerified: true,
    firstName: 'Jane',
    lastName: 'Doe',
    enabled: true,
    credentials: [{ type: 'password', value: PASSWORD }],
  });
}, SLOW);
afterAll(() => send('DELETE', ''), SLOW);

describe('a realm with a second factor', () => {
  it('has a login page before', async () => {
    expect((await loginPage()).text).toContain('type="password"');
  });

  it('has no page for a forgotten password, whose link would be a login by itself', async () => {
    const { status, text } = await loginPage('forgot-credentials');
    expect([status, text]).toEqual([400, expect.stringContaining('not allowed')]);
    expect((await loginPage()).text).not.toContain('reset-credentials');
  });

  it('gets its flow when the hospital starts to demand it', async () => {
    expect(await reconcile()).toEqual([expect.stringContaining('browserFlow')]);
    expect(await reconcile()).toEqual([]);
  });

  it('has no page that takes a password', async () => {
    const { status, text } = await loginPage();
    expect(status).toBe(401);
    expect(text).not.toContain('type="password"');
  });

  it('gives no client a token for a password', async () => {
    const { clients = [] } = await exported();
    expect(clients.length).toBeGreaterThan(8);
    // The auth module gets tokens for a password, and gives them to nobody before the code.
    expect(clientsWithoutPage(clients)).toEqual(['hms-auth']);
    for (const { clientId = '' } of clients) {
      const answer = await fetch(`${realmUrl}/protocol/openid-connect/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'password',
          client_id: clientId,
          username: 'jane@example.org',
          password: PASSWORD,
        }),
      });
      const { access_token, error } = (await answer.json()) as { access_token?: string; error?: string };
      expect({ clientId, access_token, error }).toEqual({ clientId, error: expect.any(String) });
    }
  });

  it('has no login by the identity provider of impersonations', async () => {
    expect((await loginPage()).text).not.toContain('hms-auth');
    for (const path of ['login', 'endpoint', 'token']) {
      const answer = await fetch(`${realmUrl}/broker/hms-auth/${path}`, { redirect: 'manual' });
      expect([path, answer.status, answer.headers.get('location')]).toEqual([path, expect.any(Number), null]);
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
  });

  it('keeps the flow in its realm: steps, requirements and the flow itself are restored', async () => {
    const path = `/authentication/flows/${encodeURIComponent(FLOW)}/executions`;
    await send('POST', `${path}/execution`, { provider: 'auth-username-password-form' });
    expect(await reconcile()).toEqual([expect.stringContaining('without auth-username-password-form')]);
    expect(await reconcile()).toEqual([]);

    await send('PUT', '', { browserFlow: 'browser' });
    const { authenticationFlows = [] } = await exported();
    const { id } = authenticationFlows.find(({ alias }) => alias === FLOW) ?? {};
    await send('DELETE', `/authentication/flows/${id}`);
    const changes = await reconcile();
    expect(changes).toEqual([`create flow ${FLOW}`, expect.stringContaining('browserFlow')]);
    expect(await reconcile()).toEqual([]);
    expect((await loginPage()).status).toBe(401);
  });

  it('gets its login page back when the hospital no longer demands it', async () => {
    expect(await reconcile(tenant)).toEqual([expect.stringContaining('browserFlow')]);
    expect((await loginPage()).text).toContain('type="password"');
  });
});
