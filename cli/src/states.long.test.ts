/** hmsctl against a platform that is down, half up, of another version, or refuses a token: one sentence each. */

import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type net from 'node:net';
import path from 'node:path';
import { KubernetesClient, PATCH } from '@hms/kubernetes';
import { freePorts, loadKubeConfig, type Started, startPlatform } from '@hms/local';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { knownFields } from './definition.ts';
import { EXIT } from './exit.ts';
import { freshFolder, hmsctl } from './testing.ts';

const SLOW = 240_000;
const folder = freshFolder();
const DEFINITION = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/hospitals.hms.dev';
const manifest =
  'apiVersion: hms.dev/v1\nkind: Hospital\nmetadata: {name: half-up}\nspec: {displayName: Half Up, settings: {country: IE}}\n';
let started: Started;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  const dataDir = path.join(folder, 'data');
  fs.mkdirSync(dataDir);
  // An API server with the definitions, and nobody who reconciles.
  const only = ['kube-apiserver', 'manifests'];
  started = await startPlatform({ dataDir, ports: await freePorts(), fast: true, only });
  env = { KUBECONFIG: started.state.kubeconfig, XDG_CONFIG_HOME: folder };
}, SLOW);

afterAll(() => started?.stop(), SLOW);

/** Everything on standard error is one sentence, or the sentence and the conditions. */
function sentence(stderr: string): string {
  return stderr.trim().split('\n').at(-1) ?? '';
}

describe('a platform that is down', () => {
  it.each([[['hospital', 'list']], [['events']], [['onboard', '-f', '-']], [['version']]])(
    '%j names the server',
    async (args) => {
      const file = path.join(folder, 'down');
      fs.writeFileSync(
        file,
        fs.readFileSync(started.state.kubeconfig, 'utf8').replace(/server: .*/, 'server: https://127.0.0.1:9'),
      );
      const { code, stdout, stderr } = await hmsctl([...args, '--kubeconfig', file], {
        env,
        input: 'prefix,displayName\nhope,Hope\n',
      });
      expect({ code, stdout }).toEqual({ code: EXIT.failure, stdout: args[0] === 'version' ? 'HMSCTL\n0.1.0\n' : '' });
      expect(stderr).toMatch(
        /^hmsctl: https:\/\/127\.0\.0\.1:9 can't be reached \(.+\): is the platform up\? hmsctl status shows it\.\n$/,
      );
    },
  );

  it('is also named by login', async () => {
    const login = [
      'login',
      '--console',
      '--email',
      'a@b.example',
      '--password-stdin',
      '--server',
      'http://127.0.0.1:9',
    ];
    const { code, stderr } = await hmsctl(login, { env, input: 'x' });
    expect({ code, stderr }).toEqual({
      code: EXIT.failure,
      stderr: expect.stringMatching(/^hmsctl: http:\/\/127\.0\.0\.1:9 can't be reached/),
    });
  });

  it('leaves `version` with its own, and `diff` with its code for no comparison', async () => {
    const version = await hmsctl(['version', '--kubeconfig', '/no/file'], { env });
    expect(version).toMatchObject({ stdout: expect.stringMatching(/^HMSCTL\n\d+\.\d+\.\d+\n$/) });
    expect(version.code).not.toBe(EXIT.ok);
    const diff = await hmsctl(['hospital', 'diff', '-f', '-', '--kubeconfig', '/no/file'], { env, input: manifest });
    expect(diff).toMatchObject({ code: EXIT.noDiff, stdout: '', stderr: expect.stringContaining('/no/file') });
  });
});

describe('a platform that is half up', () => {
  it('without an operator makes a command that waits say so', async () => {
    const apply = ['hospital', 'apply', '-f', '-', '--wait', '--timeout', '5s'];
    const { code, stderr } = await hmsctl(apply, { env, input: manifest });
    expect({ code, stderr }).toMatchObject({
      code: EXIT.timeout,
      stderr: expect.stringMatching(/^no operator has run on this cluster yet .*; waiting for it\.$/m),
    });
    expect(stderr).toMatch(/^hmsctl: hospital half-up is not Ready in time; no operator has run/m);
  });

  it.each([
    [
      502,
      '{"message":"An invalid response was received from the upstream server"}',
      /^hmsctl: the gateway http:\S+ is up, but the module auth behind it does not answer \(502\)/,
    ],
    [
      503,
      '{"success":false,"error":{"code":"IDENTITY_UNAVAILABLE","message":"Keycloak does not answer"}}',
      /^hmsctl: http:\S+ can't log anybody in at the moment: Keycloak does not answer\. Try again/,
    ],
  ])('with a gateway that answers %i makes login say what is missing', async (status, body, why) => {
    const server = http.createServer((_request, response) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
    const login = ['login', '--hospital', 'hope', '--email', 'a@b.example', '--password-stdin', '--server', address];
    const { code, stderr } = await hmsctl(login, { env, input: 'x' });
    server.close();
    expect({ code, stderr }).toEqual({ code: EXIT.failure, stderr: expect.stringMatching(why) });
  });
});

describe('a token that has expired', () => {
  it('of the cluster ends with 5', async () => {
    const file = path.join(folder, 'expired');
    const text = fs.readFileSync(started.state.kubeconfig, 'utf8').replace(/token: .*/, 'token: expired');
    fs.writeFileSync(file, text);
    const { code, stderr } = await hmsctl(['hospital', 'list', '--kubeconfig', file], { env });
    expect({ code, stderr }).toEqual({
      code: EXIT.notLoggedIn,
      stderr: expect.stringMatching(
        /^hmsctl: \S+ refuses the credentials of the kubeconfig, which may have expired: [^\n]+\n$/,
      ),
    });
  });

  it('of a login ends with 5, and says how to log in again', async () => {
    const over = {
      server: 'http://127.0.0.1:9',
      hospital: 'hope',
      email: 'a@b.example',
      accessToken: 'a',
      refreshToken: 'b',
      expiresAt: 0,
      refreshExpiresAt: 0,
    };
    fs.mkdirSync(path.join(folder, 'hmsctl'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'hmsctl', 'sessions.json'), JSON.stringify([over]));
    for (const command of ['token', 'whoami']) {
      const { code, stderr } = await hmsctl([command], { env });
      expect({ code, stderr }).toEqual({
        code: EXIT.notLoggedIn,
        stderr: 'hmsctl: the login is over: use hmsctl login --hospital hope --email a@b.example.\n',
      });
    }
  });
});

// Last, because it changes the definition.
describe('a platform of another version', () => {
  it('is named by version and by a refused field, which is never dropped', async () => {
    expect((await hmsctl(['version'], { env })).code).toBe(EXIT.ok);
    expect(knownFields().has('spec.settings.country')).toBe(true);
    const client = new KubernetesClient(loadKubeConfig(started.state.kubeconfig));
    const definition = await client.request<{ spec: { versions: Versioned[] } }>('GET', DEFINITION);
    const settings =
      definition.spec.versions[0]?.schema.openAPIV3Schema.properties.spec?.properties.settings?.properties;
    delete settings?.country;
    await client.request('PATCH', DEFINITION, {
      contentType: PATCH.merge,
      body: { spec: { versions: definition.spec.versions } },
    });
    const { code, stdout, stderr } = await hmsctl(['version'], { env });
    expect({ code, stderr }).toEqual({
      code: EXIT.failure,
      stderr: expect.stringMatching(/^hmsctl: this platform is of another version than this hmsctl/),
    });
    expect(stdout).toMatch(/^Only hmsctl knows +spec\.settings\.country$/m);
    const applied = await hmsctl(['hospital', 'apply', '-f', '-'], {
      env,
      input: manifest.replace('half-up', 'other'),
    });
    expect(applied.code).toBe(EXIT.failure);
    expect(sentence(applied.stderr)).toMatch(
      /this platform is of another version: it does not know spec\.settings\.country/,
    );
  });
});

interface Versioned {
  readonly schema: { readonly openAPIV3Schema: Schema };
}
interface Schema {
  readonly properties: Record<string, Schema | undefined>;
}
