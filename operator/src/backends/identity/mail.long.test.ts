/** A realm's mail server with TLS and a login: Keycloak really sends through it. */
import fs from 'node:fs';
import path from 'node:path';
import { startTestMailServer, type TestMailServer, type TestMailServerOptions } from '@hms/mail/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Pair, pair } from '../../../../services/gateway/src/testing/certificates.ts';
import { platform } from '../../../../test/platform.ts';
import { describe as described } from '../backend.ts';
import type { SmtpSettings } from './realm.ts';
import { testRealm } from './testing.ts';

const { create, tenant, keycloak, backendWith, exported } = testRealm();
const { realm } = tenant.names;
const LOGIN = { user: 'hms', password: 'correct-horse-battery', passwordMark: 'first' };
const { dataDir } = platform();
/** Keycloak trusts this one. */
const certificate: Pair = {
  cert: fs.readFileSync(path.join(dataDir, 'trust', 'mail.crt'), 'utf8'),
  key: fs.readFileSync(path.join(dataDir, 'mail.key'), 'utf8'),
};

let server: TestMailServer;
let people = 0;
/** A mail of Keycloak, as its administrators send it in its console. */
const send = () => {
  people += 1;
  return keycloak.call('mail', async ({ users }) => {
    const email = `ann${people}@south.example`;
    const { id } = await users.create({ realm, username: email, email, enabled: true });
    await users.executeActionsEmail({ realm, id, actions: ['VERIFY_EMAIL'] });
  });
};

/** Gives the realm a new mail server. @returns the changes. */
async function serve(offered: TestMailServerOptions, settings: Partial<SmtpSettings> = {}): Promise<readonly string[]> {
  server = await startTestMailServer({ certificate, ...offered });
  const { host, port } = server;
  return reconcile({ host, port, from: 'no-reply@hms.example', tls: offered.tls, ...settings });
}

async function reconcile(smtp: SmtpSettings): Promise<readonly string[]> {
  const backend = backendWith(smtp);
  const changes = backend.diff(tenant, await backend.observe(tenant));
  if (changes.length > 0) await backend.apply(tenant, changes);
  return changes.map(described);
}

beforeAll(create);
afterEach(() => server.stop());
afterAll(() => keycloak.call('delete', (admin) => admin.realms.del({ realm })));

describe('a mail of Keycloak', () => {
  it.each(['starttls', 'implicit'] as const)('is sent over TLS (%s) with a login', async (mode) => {
    const changes = await serve({ tls: mode, login: LOGIN }, { login: LOGIN });
    expect(changes).toEqual([expect.stringMatching(/^update realm .*smtpServer/)]);
    expect(changes.join()).not.toContain('horse');
    await send();
    expect(server.received).toMatchObject([{ secure: true, user: 'hms', recipients: [`ann${people}@south.example`] }]);
  });

  it.each<[string, () => Promise<Partial<TestMailServerOptions>>, Partial<SmtpSettings>]>([
    ['an authority that Keycloak does not trust', async () => ({ certificate: await pair('localhost', true) }), {}],
    ['a wrong password', async () => ({}), { login: { ...LOGIN, password: 'wrong-horse', passwordMark: 'wrong' } }],
    ['no login', async () => ({}), { login: undefined }],
    ['a server without STARTTLS', async () => ({ tls: 'none' }), { tls: 'starttls', login: undefined }],
  ])('is refused with %s, without the password in the error', async (_, offered, settings) => {
    await serve({ tls: 'starttls', login: LOGIN, ...(await offered()) }, { login: LOGIN, ...settings });
    const error = await send().catch((cause: unknown) => cause);
    expect(error).toMatchObject({ kind: 'Unavailable' });
    expect(JSON.stringify([String(error), error, String((error as Error).cause)])).not.toContain('horse');
    expect(server.received).toEqual([]);
  });
});

describe('the login of the mail server', () => {
  it('is unchanged at the next comparison, and changed with a new password', async () => {
    await serve({ tls: 'starttls', login: LOGIN }, { login: LOGIN });
    const { host, port } = server;
    const smtp = { host, port, from: 'no-reply@hms.example', tls: 'starttls', login: LOGIN } as const;
    expect(await reconcile(smtp)).toEqual([]);
    const changes = await reconcile({ ...smtp, login: { ...LOGIN, password: 'new', passwordMark: 'second' } });
    expect(changes).toEqual([expect.stringContaining('attributes.hms.smtpPasswordMark')]);
    expect((await exported()).smtpServer).toMatchObject({ password: '**********' });
    await expect(send()).rejects.toMatchObject({ kind: 'Unavailable' });
    await reconcile({ ...smtp, login: undefined });
    const { smtpServer, attributes } = await exported();
    expect(smtpServer).not.toHaveProperty('password');
    expect(attributes).not.toHaveProperty(['hms.smtpPasswordMark']);
  });
});
