/** What the operator asks the gateway before it considers a hospital served or closed, with any answers. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModuleName } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tenantOf } from '../../hospital/tenant.ts';
import { hospitalObject } from '../../hospital/testing.ts';
import { notClosed, notServed } from './probe.ts';

const ID = '0196f3a2-5c1e-7d3b-9a44-6f0b7a1c2d3e';
const [ONE, TWO] = ['one.example', 'two.example'] as const;
const tenant = tenantOf(hospitalObject({ spec: { gateway: { hosts: [ONE, TWO], origins: [], rateLimits: {} } } }), ID, {
  baseUrl: 'http://hms.example',
  domain: 'hms.example',
});

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly origin?: string;
}
const SERVED: Answer = { status: 200, text: `{"hospitalId":"${ID}"}`, origin: `http://${ONE}` };
const REFUSED: Answer = { status: 401, text: '{"error":{"code":"INVALID_REFRESH_TOKEN"}}' };
const CLOSED: Answer = { status: 503, text: '{"message":"this hospital is suspended"}' };

/** By host and module. */
let answers: Readonly<Record<string, Answer>> = {};
const tokens: (string | undefined)[] = [];
const gateway = http.createServer(({ url, headers }, response) => {
  const module = /^\/api\/([a-z]+)\//.exec(url ?? '')?.[1];
  const { status, text, origin } = answers[`${headers.host} ${module}`] ?? { status: 404, text: '' };
  if (module === 'hms') tokens.push(headers.authorization);
  response.writeHead(status, origin === undefined ? {} : { 'access-control-allow-origin': origin }).end(text);
});
beforeAll(async () => {
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  gateway.close();
});

const options = (modules: readonly ModuleName[]) => ({
  proxyUrl: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
  baseUrl: 'http://hms.example',
  modules,
});

describe('a hospital is served', () => {
  const served = { [`${ONE} hms`]: SERVED, [`${TWO} hms`]: SERVED, [`${ONE} auth`]: REFUSED };
  const asked = (changes: Readonly<Record<string, Answer>>) => {
    answers = { ...served, ...changes };
    return notServed(options(['hms', 'auth']), tenant, 'a token');
  };

  it('when its modules answer a person on each of its hosts, and people can log in', async () => {
    tokens.length = 0;
    expect(await asked({})).toBeUndefined();
    expect(tokens).toEqual(['Bearer a token', 'Bearer a token']);
  });

  it.each<[string, Readonly<Record<string, Answer>>, string]>([
    ['one host is not routed', { [`${TWO} hms`]: { status: 404, text: '' } }, `host ${TWO} does not serve`],
    [
      'one answers for another hospital',
      { [`${TWO} hms`]: { ...SERVED, text: 'other' } },
      `host ${TWO} does not serve`,
    ],
    ['one refuses the token', { [`${ONE} hms`]: { ...SERVED, status: 401 } }, `host ${ONE} does not serve`],
    ['one has the CORS rules of another', { [`${TWO} hms`]: { ...SERVED, origin: 'x' } }, `host ${TWO} is not routed`],
    ['nobody can log in', { [`${ONE} auth`]: { status: 503, text: '' } }, 'nobody can log in yet: auth answered 503'],
  ])('not while %s', async (_, changes, sentence) => {
    expect(await asked(changes)).toContain(sentence);
  });
});

describe('a suspended hospital is closed', () => {
  const asked = (two: Answer) => {
    answers = { [`${ONE} hms`]: CLOSED, [`${TWO} hms`]: two };
    return notClosed(options(['hms']), tenant, 'a token');
  };

  it('when the gateway refuses a person on each of its hosts', async () => {
    expect(await asked(CLOSED)).toBeUndefined();
  });

  it.each<[string, Answer]>([
    ['still serves it', SERVED],
    ['has no module to ask', { status: 503, text: '{"message":"failure to get a peer"}' }],
  ])('not while a host %s', async (_, answer) => {
    expect(await asked(answer)).toContain(`host ${TWO} is not closed yet: it answered ${answer.status}`);
  });
});
