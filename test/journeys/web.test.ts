/** The pages behind the gateway, and the sessions of browsers, without a browser. */
import { randomUUID } from 'node:crypto';
import { demonstrationUser, poll } from '@hms/local';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { platform } from '../platform.ts';
import { type Answer, api, call } from '../support/gateway.ts';
import { freshHospital } from '../support/hospitals.ts';
import { codesTo } from '../support/mails.ts';
import { testPerson } from '../support/people.ts';

const domain = `${platform().domain}:${platform().ports.gateway}`;
let prefix = '';
let host = '';
let login: { readonly email: string; readonly password: string };

const hostOf = (name: string) => `${name}.${platform().domain}:${platform().ports.gateway}`;

beforeAll(async () => {
  prefix = (await freshHospital()).metadata.name;
  host = hostOf(prefix);
  const { email, password } = await demonstrationUser(platform(), prefix, 'RECEPTION');
  login = { email, password };
}, 120_000);

/** A request as a page of the host sends it. */
function send(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const own = { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
  return call('POST', `/session/${path}`, { host, body, headers: { ...own, ...headers } });
}

function cookieIn({ headers }: Answer): string {
  const [, value = ''] = /^__Host-hms=([^;]*)/.exec([headers['set-cookie']].flat()[0] ?? '') ?? [];
  return `__Host-hms=${value}`;
}

function dataIn<Data>({ body }: Answer): Data {
  return body?.data as Data;
}

async function begin(): Promise<string> {
  return cookieIn(await send('login', login));
}

const page = (path: string, at = host) => call('GET', path, { host: at });

describe('a host of a hospital’s own', () => {
  it('shows its pages, and nobody else’s host shows any', async () => {
    const own = `care-${randomUUID().slice(0, 8)}.example`;
    const { metadata, status } = await freshHospital({ gateway: { hosts: [own] } });
    expect(status?.endpoints?.portal).toContain(own);
    const { text } = await page('/', own);
    expect(JSON.parse(/id="start"[^>]*>([^<]*)</.exec(text)?.[1] ?? '')).toMatchObject({
      entry: 'portal',
      realm: metadata.name,
      name: `Hospital ${metadata.name}`,
    });
    const { email, password } = await demonstrationUser(platform(), metadata.name, 'NURSE');
    const headers = { origin: `http://${own}` };
    const entered = await call('POST', '/session/login', { host: own, body: { email, password }, headers });
    const { accessToken } = dataIn<{ accessToken: string }>(entered);
    expect((await call('GET', '/api/hms/patients', { host: own, token: accessToken })).status).toBe(200);
    expect((await page('/', 'other.example')).status).toBe(404);
  });
});

describe('a page', () => {
  it('is in the name of the hospital, and allows no script but its own', async () => {
    const { status, text, headers } = await page('/patients?q=jane');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(JSON.parse(/id="start"[^>]*>([^<]*)</.exec(text)?.[1] ?? '')).toMatchObject({
      entry: 'portal',
      realm: prefix,
      problem: null,
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none';script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? [];
    expect(text).toContain(`nonce="${nonce}"`);
    expect(text).not.toContain('__NONCE__');
    expect(String((await page('/')).headers['content-security-policy'])).not.toContain(nonce);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
  });

  it('has files that browsers keep, compressed, and 404 for missing ones', async () => {
    const { text } = await page('/');
    const [file = ''] = /\/assets\/portal-[^"]+\.js/.exec(text) ?? [];
    const { status, headers } = await call('GET', file, { host, headers: { 'accept-encoding': 'br' } });
    expect([status, headers['content-encoding']]).toEqual([200, 'br']);
    expect(headers['cache-control']).toContain('immutable');
    const missing = await page('/assets/portal-00000000.js');
    expect([missing.status, missing.body?.error?.code]).toEqual([404, 'NOT_FOUND']);
  });

  it.each(['/api/nothing', '/api', '/session', '/.well-known/x', '/metrics/', '/x.php', '/assets/'])(
    'is never the answer of %s',
    async (path) => {
      const { status, headers } = await page(path);
      expect([path, status]).toEqual([path, path === '/session' ? 405 : 404]);
      expect(String(headers['content-type'])).toContain('application/json');
    },
  );

  it('says that there is no such hospital', async () => {
    const unknown = await page('/', hostOf('no-such-hospital'));
    expect([unknown.status, unknown.text]).toEqual([404, expect.stringContaining('"problem":"HOSPITAL_UNKNOWN"')]);
    expect((await page('/', domain)).text).toContain('action="/find"');
  });
});

describe('the platform’s own address', () => {
  it('leads from a short name to the hospital', async () => {
    const found = await page(`/find?hospital=${prefix.toUpperCase()}`, domain);
    expect([found.status, found.headers.location]).toEqual([303, `http://${host}/`]);
  });

  it.each(['"><script>alert(1)</script>', '\u202e\u0000\u001b[2J', '\ud800', 'a'.repeat(5_000), ''])(
    'shows %j as text, if at all',
    async (text) => {
      const query = encodeURIComponent(text.toWellFormed()).replace('%EF%BF%BD', '%ED%A0%80');
      const { status, text: answer } = await page(`/find?lang=%22%3E&hospital=${query}`, domain);
      expect([text, [400, 404].includes(status)]).toEqual([text, true]);
      expect(answer).toContain('role="alert"');
      expect(answer).not.toMatch(/<script|javascript:|lang="">/);
      expect(answer.length).toBeLessThan(8_000);
    },
  );

  it('is in the language of the browser, or the one in the address, which keeps the search', async () => {
    const arabic = { 'accept-language': 'fr;q=0.9, ar;q=0.8' };
    const preferred = await call('GET', '/', { host: domain, headers: arabic });
    expect(preferred.text).toContain('<html lang="ar" dir="rtl">');
    const chosen = await call('GET', '/find?lang=en&hospital=zz%26y', { host: domain, headers: arabic });
    expect(chosen.text).toContain('<html lang="en" dir="ltr">');
    expect(chosen.text).toContain('href="/find?lang=ar&amp;hospital=zz%26y"');
  });

  it('says what works, and names nothing else', async () => {
    const { status, body } = (await page('/status.json', domain)) as unknown as { status: number; body: unknown };
    expect([status, body]).toEqual([
      200,
      {
        checkedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        works: true,
        parts: ['login', 'hms', 'queue', 'payment', 'crm'].map((name) => ({ name, works: true })),
      },
    ]);
    const { text } = await page('/status?repeat=on', domain);
    expect(text).toContain('http-equiv="refresh"');
    expect(text).not.toMatch(/127\.0\.0\.1|:\d{5}/);
    expect((await page('/status.json')).status).toBe(404);
  });
});

describe('a session', () => {
  it('gives the page an access token, and keeps the refresh token from it', async () => {
    const answer = await send('login', login);
    expect(answer.status).toBe(200);
    const { accessToken } = dataIn<{ accessToken: string }>(answer);
    expect(Object.keys(answer.body?.data as object)).toEqual(['accessToken', 'expiresIn']);
    const [cookie = ''] = [answer.headers['set-cookie']].flat();
    expect(cookie).toMatch(/^__Host-hms=[\w.-]+; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
    expect(cookie.length).toBeLessThan(4096);
    const me = await api(accessToken).GET('/api/auth/me');
    expect(me.data?.data).toMatchObject({ email: login.email, hospital: { prefix } });
  });

  it('gives other tokens for the cookie until it is logged out', async () => {
    let cookie = await begin();
    const refreshed = await send('refresh', {}, { cookie });
    expect([refreshed.status, cookieIn(refreshed) === cookie]).toEqual([200, false]);
    cookie = cookieIn(refreshed);
    expect(await send('logout', {}, { cookie })).toMatchObject({ status: 200 });
    const ended = await send('refresh', {}, { cookie });
    expect([ended.status, ended.body?.error?.code, cookieIn(ended)]).toEqual([
      401,
      'INVALID_REFRESH_TOKEN',
      '__Host-hms=',
    ]);
  });

  it('is none without a cookie, or with one of another host', async () => {
    expect((await send('refresh', {})).body?.data).toEqual({ accessToken: null });
    const cookie = await begin();
    const other = hostOf('another-hospital');
    const headers = { cookie, origin: `http://${other}` };
    const answer = await call('POST', '/session/refresh', { host: other, body: {}, headers });
    expect(answer.body?.data).toEqual({ accessToken: null });
  });

  it('logs out whoever was there before', async () => {
    const former = await begin();
    expect((await send('login', login, { cookie: former })).status).toBe(200);
    expect((await send('refresh', {}, { cookie: former })).status).toBe(401);
  });

  it('is refused with the sentence of the module for a wrong password', async () => {
    const answer = await send('login', { ...login, password: 'wrong' });
    expect([answer.status, answer.body?.error?.code]).toEqual([401, 'INVALID_CREDENTIALS']);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['of another site', { origin: 'http://attacker.example', 'sec-fetch-site': 'cross-site' }],
    ['of another hospital', { origin: 'http://other.localhost:8000', 'sec-fetch-site': 'same-site' }],
    ['that names no origin', { origin: 'null' }],
    ['that is no JSON', { 'content-type': 'text/plain' }],
    ['that a form sends', { 'content-type': 'application/x-www-form-urlencoded' }],
  ])('is not for a page %s', async (_, headers) => {
    const cookie = await begin();
    for (const path of ['login', 'refresh', 'logout']) {
      const answer = await send(path, login, { cookie, ...headers });
      expect([path, answer.status, answer.body?.error?.code]).toEqual([path, 403, 'CROSS_SITE']);
    }
    expect((await send('refresh', {}, { cookie })).status).toBe(200);
  });

  it('needs the code from the email at the console', async () => {
    const { email, password, remove } = await testPerson('console');
    const at = hostOf('console');
    const own = { origin: `http://${at}` };
    const to = (path: string, body: unknown) => call('POST', `/session/${path}`, { host: at, body, headers: own });
    const begun = await to('login', { email, password });
    const { challenge, sentTo } = dataIn<{ challenge: string; sentTo: string }>(begun);
    expect([begun.headers['set-cookie'], sentTo]).toEqual([undefined, expect.stringContaining('@')]);
    expect((await to('verify', { challenge, code: '000000' })).body?.error?.code).toBe('INVALID_CODE');
    const code = await poll(async () => (await codesTo(email)).at(-1), { timeout: 20_000 });
    const answer = await to('verify', { challenge, code });
    expect(answer.status).toBe(200);
    const { accessToken } = dataIn<{ accessToken: string }>(answer);
    expect(decodeJwt(accessToken).iss).toMatch(/\/realms\/console$/);
    expect((await to('refresh', {})).body?.data).toEqual({ accessToken: null });
    await remove();
  });
});
