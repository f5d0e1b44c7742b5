/** Logging in through the gateway, at a hospital without and at one with a code by email. */
import { apiClient, dataOf, type Schemas } from '@hms/api-client';
import { demonstrationUser } from '@hms/local';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { api, call } from '../support/gateway.ts';
import { freshHospital } from '../support/hospitals.ts';
import { codesTo } from '../support/mails.ts';
import { until } from '../support/until.ts';

let plain: string;
let careful: string;

beforeAll(async () => {
  const hospitals = await Promise.all([freshHospital(), freshHospital({ identity: { secondFactor: 'Email' } })]);
  [plain = '', careful = ''] = hospitals.map(({ metadata }) => metadata.name);
}, 120_000);

const login = (body: object) => call('POST', '/api/auth/login', { body });

describe('a login', () => {
  it('gives tokens of the person, which modules accept, until the logout', async () => {
    const credentials = await demonstrationUser(platform(), plain, 'DOCTOR');
    const session = (await login(credentials)).body?.data as Schemas['Session'];
    const me = await dataOf(api(session.accessToken).GET('/api/auth/me'));
    expect(me).toMatchObject({ email: credentials.email, roles: ['DOCTOR'] });
    expect((await api(session.accessToken).GET('/api/hms/patients')).response.status).toBe(200);
    const again = await dataOf(api().POST('/api/auth/refresh', { body: { refreshToken: session.refreshToken } }));
    expect((await api(again.accessToken).GET('/api/hms/patients')).response.status).toBe(200);
    await dataOf(api().POST('/api/auth/logout', { body: { refreshToken: again.refreshToken } }));
    const ended = await api().POST('/api/auth/refresh', { body: { refreshToken: again.refreshToken } });
    expect(ended.response.status).toBe(401);
  });

  it('is refused with one answer for a wrong password, an unknown person and an unknown hospital', async () => {
    const { email, password } = await demonstrationUser(platform(), plain, 'DOCTOR');
    const answers = await Promise.all([
      login({ hospital: plain, email, password: 'wrong' }),
      login({ hospital: plain, email: `nobody@${plain}.example`, password }),
      login({ hospital: 'no-such-hospital', email, password }),
    ]);
    expect(answers.map(({ status, body }) => [status, body?.error?.code])).toEqual(
      Array.from({ length: 3 }, () => [401, 'INVALID_CREDENTIALS']),
    );
  });

  it('names the fields that are missing', async () => {
    const { status, body } = await login({ hospital: plain, email: `doctor@${plain}.example` });
    expect([status, body?.error?.details?.fields?.map(({ field }) => field)]).toEqual([400, ['password']]);
  });
});

describe('a login at a hospital that demands a code', () => {
  it('gives a challenge, and tokens for the code from the email, once', async () => {
    const credentials = await demonstrationUser(platform(), careful, 'NURSE');
    const answer = await login(credentials);
    const { challenge } = (answer.body?.data ?? {}) as Schemas['Challenge'];
    expect((await api(challenge).GET('/api/hms/patients')).response.status).toBe(401);
    const [code = ''] = await until(
      'the code',
      () => codesTo(credentials.email),
      ({ length }) => length > 0,
    );
    const wrong = code === '000000' ? '000001' : '000000';
    const verify = (given: string) => api().POST('/api/auth/verify', { body: { challenge, code: given } });
    expect((await verify(wrong)).response.status).toBe(401);
    const { accessToken } = await dataOf(verify(code));
    const client = apiClient(platform().gateway.proxy, accessToken);
    expect(await dataOf(client.GET('/api/auth/me'))).toMatchObject({ email: credentials.email });
    expect((await verify(code)).response.status).toBe(401);
  });
});
