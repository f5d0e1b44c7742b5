/** Somebody else's host in the headers of a request: no mail, no page and no redirect leads there. */
import { dataOf } from '@hms/api-client';
import { demonstrationUser } from '@hms/local';
import { beforeAll, expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { api, call, tokenOf } from '../support/gateway.ts';
import { freshHospital } from '../support/hospitals.ts';
import { mailsTo } from '../support/mails.ts';
import { until } from '../support/until.ts';

const SLOW = 120_000;
const EVIL = 'evil.example';
const FORWARDED = {
  forwarded: `for=192.0.2.1;host=${EVIL};proto=https`,
  'x-forwarded-host': EVIL,
  'x-forwarded-server': EVIL,
  'x-forwarded-proto': 'https',
  'x-forwarded-port': '4444',
  'x-forwarded-prefix': `//${EVIL}`,
  'x-host': EVIL,
  'x-original-host': EVIL,
  'x-http-host-override': EVIL,
};
let hospital: string;
let portal: URL;

beforeAll(async () => {
  const { metadata, status } = await freshHospital();
  hospital = metadata.name;
  portal = new URL(status?.endpoints?.portal ?? '');
}, SLOW);

/** The headers of a request with the host of a hospital, and with somebody else's host. */
const requests = () => [
  { host: portal.host, headers: FORWARDED },
  ...[EVIL, `${EVIL}:4444`, `${portal.hostname}.${EVIL}`].flatMap((host) => [{ host }, { host, headers: FORWARDED }]),
];

it(
  'is in no mail',
  async () => {
    const { email } = await demonstrationUser(platform(), hospital, 'RECEPTION');
    const token = await tokenOf(hospital, 'OWNER');
    const person = {
      firstName: 'Nora',
      lastName: 'Night',
      email: `nora@${hospital}.example`,
      roles: ['NURSE' as const],
    };
    const { id } = await dataOf(api(token).POST('/api/hms/employees', { body: person }));
    // The first invitation comes with the employee.
    const wanted = { codes: 0, invitations: 1 };
    const mails = () => Promise.all([mailsTo(email), mailsTo(person.email)]);
    for (const request of requests()) {
      const code = await call('POST', '/api/auth/password/forgotten', { ...request, body: { hospital, email } });
      const invitation = await call('POST', `/api/hms/employees/${id}/resend-invite`, { ...request, token, body: {} });
      expect([request.host, code.status, invitation.status]).toEqual([request.host, 200, 200]);
      wanted.codes += 1;
      wanted.invitations += 1;
      const came = ([codes, invitations]: Awaited<ReturnType<typeof mails>>) =>
        codes.length === wanted.codes && invitations.length === wanted.invitations;
      await until('the mails', mails, came);
    }
    for (const mail of (await mails()).flat()) expect(JSON.stringify(mail)).not.toContain(EVIL);
    const [invitation] = await mailsTo(person.email);
    expect(invitation?.html).toContain(`${portal.origin}/invitation#`);
  },
  SLOW,
);

it(
  'is in no redirect, and no page loads or links anything of it',
  async () => {
    const oidc = `/auth/realms/${hospital}/protocol/openid-connect`;
    const login = new URLSearchParams({
      ...{ client_id: 'hms-portal', response_type: 'code', scope: 'openid', redirect_uri: `${portal.origin}/` },
      ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
    });
    const paths = [
      ...['/', '/patients', '/tv', '/auth', '/auth/', `/auth/realms/${hospital}/account`, '/auth/admin/'],
      ...[`${oidc}/auth?${login}`, `${oidc}/logout`, `/auth/realms/${hospital}/device`],
      ...['/status.json', '/api/hms/openapi.json', '/no-such-page', '/assets', '/?hospital=st-mary'],
    ];
    const redirects: string[] = [];
    const leads: string[] = [];
    for (const path of paths) {
      for (const request of requests()) {
        const { status, headers, text } = await call('GET', path, request);
        const location = String(headers.location ?? '');
        if (location) redirects.push(location);
        const told =
          /(?:href|src|action|content|url)\s*=\s*["'][^"']*evil\.example|https?:\/\/[^/\s"]*evil\.example/i.exec(text);
        if (location.includes(EVIL) || told)
          leads.push(`${path} at ${request.host}: ${status} ${location} ${told?.[0]}`);
      }
    }
    expect(leads).toEqual([]);
    expect(redirects.length).toBeGreaterThan(5);
  },
  SLOW,
);

it('is not where Keycloak says that its tokens are from, or that people log in', async () => {
  for (const request of requests()) {
    const { body } = await call('GET', `/auth/realms/${hospital}/.well-known/openid-configuration`, request);
    const { baseUrl } = platform();
    const pages = `${baseUrl}/auth/realms/${hospital}/protocol/openid-connect`;
    expect(body).toMatchObject({
      issuer: `${baseUrl}/auth/realms/${hospital}`,
      authorization_endpoint: `${pages}/auth`,
    });
  }
});

it.each([`//${EVIL}/`, `/\\${EVIL}/`, `/%2f%2f${EVIL}/`, `/auth//${EVIL}/`, `/auth/..//${EVIL}`, `/?next=//${EVIL}`])(
  'is not where the path %s leads',
  async (path) => {
    for (const host of [portal.host, platform().domain]) {
      const { headers } = await call('GET', path, { host });
      const to = new URL(String(headers.location ?? '/'), portal);
      expect([host, to.hostname]).toEqual([host, expect.not.stringMatching(/evil\.example$/)]);
    }
  },
);
