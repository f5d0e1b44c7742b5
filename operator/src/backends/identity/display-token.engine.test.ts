/** A television display that a person of the hospital approves, at a real Keycloak: the privileges of its token. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import { testRealm } from './testing.ts';

const { create, tenant, send, look } = testRealm();
const { keycloakUrl } = platform();
const openid = `${keycloakUrl}/realms/${tenant.names.realm}/protocol/openid-connect`;
const PASSWORD = 'a long passphrase';
const SLOW = 60_000;

beforeAll(async () => {
  await create();
  const { role } = await look();
  for (const [name, roles] of Object.entries({ both: ['OWNER', 'DISPLAY'], owner: ['OWNER'] })) {
    const email = `${name}@hope.example`;
    const credentials = [{ type: 'password', value: PASSWORD }];
    const person = { username: email, email, firstName: 'Ann', lastName: 'Byrne', enabled: true, credentials };
    const id = await send('POST', '/users', person);
    await send('POST', `/users/${id}/role-mappings/realm`, roles.map(role));
  }
}, SLOW);

afterAll(() => send('DELETE', ''), SLOW);

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly refresh_expires_in: number;
}

async function post<T>(url: string, form: Record<string, string>): Promise<T> {
  return (await (await fetch(url, { method: 'POST', body: new URLSearchParams(form) })).json()) as T;
}

/** The display starts, a person enters the code and approves, and the display fetches its tokens. */
async function approvedBy(username: string): Promise<Tokens> {
  const client = { client_id: 'hms-display' };
  const device = await post<{ device_code: string; verification_uri_complete: string }>(`${openid}/auth/device`, {
    ...client,
    scope: 'openid offline_access',
  });
  const browser = new Browser();
  await browser.open(device.verification_uri_complete);
  await browser.submit({ username, password: PASSWORD });
  await browser.submit({ accept: 'Yes' });
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  return post<Tokens>(`${openid}/token`, { ...client, grant_type, device_code: device.device_code });
}

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

it('carries only DISPLAY of the approver’s roles, and expires', async () => {
  const tokens = await approvedBy('both@hope.example');
  const claims = claimsOf(tokens.access_token);
  expect(claims).toMatchObject({ azp: 'hms-display', realm_access: { roles: ['DISPLAY'] } });
  expect(claims.resource_access).toBeUndefined();
  expect(tokens.expires_in).toBeLessThanOrEqual(300);
  expect(claimsOf(tokens.refresh_token).typ).toBe('Refresh');
  expect(tokens.refresh_expires_in).toBeGreaterThan(0);
  expect(tokens.refresh_expires_in).toBeLessThanOrEqual(43_200);
  // The same after a refresh.
  const refreshed = await post<Tokens>(`${openid}/token`, {
    client_id: 'hms-display',
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
  });
  expect(claimsOf(refreshed.access_token).realm_access).toEqual({ roles: ['DISPLAY'] });
});

it('carries no role when the approver does not have DISPLAY', async () => {
  const { access_token: token } = await approvedBy('owner@hope.example');
  expect(claimsOf(token)).toMatchObject({ azp: 'hms-display', hospital_id: tenant.hospitalId });
  expect(claimsOf(token).realm_access).toBeUndefined();
});

it('is refused to the portal when it requests offline access', async () => {
  const query = new URLSearchParams({
    client_id: 'hms-portal',
    response_type: 'code',
    scope: 'openid offline_access',
    redirect_uri: `${tenant.origins[0]}/`,
    code_challenge_method: 'S256',
    code_challenge: 'x'.repeat(43),
  });
  const answer = await fetch(`${openid}/auth?${query}`, { redirect: 'manual' });
  expect(answer.headers.get('location')).toContain('error=invalid_scope');
});

/** The parts of a browser that a login needs: pages, forms and cookies. */
class Browser {
  readonly #cookies = new Map<string, string>();
  #page = '';

  async open(url: string, form?: Record<string, string>): Promise<void> {
    const { pathname, search } = new URL(url);
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(new URL(pathname + search, keycloakUrl), {
      redirect: 'manual',
      headers: { cookie },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]?.split(/=(.*)/s) ?? [];
      this.#cookies.set(name, value);
    }
    this.#page = await answer.text();
    const next = answer.headers.get('location');
    if (next) await this.open(next);
  }

  /** Submits the page's form with some fields filled in. */
  submit(fields: Record<string, string>): Promise<void> {
    const action = /<form[^>]*action="([^"]+)"/.exec(this.#page)?.[1];
    if (!action) throw new Error(`the page has no form: ${this.#page.replace(/<[^>]*>|\s+/g, ' ').slice(0, 500)}`);
    const hidden = this.#page.matchAll(/<input type="hidden"[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g);
    const hiddenFields = Object.fromEntries([...hidden].map(([, name = '', value = '']) => [name, value]));
    return this.open(new URL(action.replaceAll('&amp;', '&'), keycloakUrl).href, { ...hiddenFields, ...fields });
  }
}
