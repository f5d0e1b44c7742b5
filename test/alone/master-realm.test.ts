/**
 * Keycloak's administration: unreachable through the public gateway, and protected against guessing at its own address.
 */
import { randomBytes } from 'node:crypto';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import { setUpMaster } from '../../local/src/platform/keycloak.ts';
import { platform } from '../platform.ts';
import { asKeycloakAdmin } from '../support/keycloak-admin.ts';

const NAME = `master-${randomBytes(4).toString('hex')}`;
const PASSWORD = randomBytes(24).toString('base64url');

let admin: KeycloakAdminClient;
beforeAll(async () => {
  admin = await asKeycloakAdmin();
  await admin.realms.create({ realm: NAME, enabled: true });
  await admin.users.create({
    realm: 'master',
    username: NAME,
    enabled: true,
    credentials: [{ type: 'password', value: PASSWORD, temporary: false }],
  });
});
afterAll(async () => {
  const [user] = await admin.users.find({ realm: 'master', username: NAME });
  await admin.users.del({ realm: 'master', id: user?.id ?? '' });
  await admin.realms.del({ realm: NAME });
});

/** The status of the public gateway's response. The path is sent unchanged. */
function statusOf(path: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port: platform().ports.gateway, host: '127.0.0.1' });
    let answer = '';
    socket.on('data', (data: Buffer) => (answer = `${answer}${data}`));
    socket.on('close', () => resolve(Number(answer.slice(9, 12))));
    socket.on('error', reject);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  });
}

const DISCOVERY = '.well-known/openid-configuration';

describe('the public gateway', () => {
  const hosts = () => [new URL(platform().baseUrl).host, `st-mary.localhost:${platform().ports.gateway}`, 'a.example'];

  it.each([
    '/auth/realms/master',
    `/auth/realms/master/${DISCOVERY}`,
    '/auth/realms/master/protocol/openid-connect/token',
    '/auth/realms/master?a=b',
    '/auth/admin',
    '/auth/admin/',
    '/auth/admin/master/console/',
    '/auth/admin/realms',
    '/auth/admin/serverinfo',
    // Other spellings of the same path.
    `//auth//realms///master/${DISCOVERY}`,
    `/auth/./realms/x/../master/${DISCOVERY}`,
    `/auth/%2e/realms/%2E%2e/realms/master/${DISCOVERY}`,
    `/%61uth/re%61lms/%6daster/${DISCOVERY}`,
    `/auth/realms/%6D%61%73%74%65%72/${DISCOVERY}`,
    '/auth/%61dmin/realms',
    '/auth//admin/master/console/',
    `/auth/realms/master;a=b/${DISCOVERY}`,
    `/auth/realms;a=b/master/${DISCOVERY}`,
    '/auth/admin;a=b/realms',
    '/x/../auth/admin/realms',
    'http://a.example/auth/admin/realms',
  ])('answers 404 for %s, under every host', async (path) => {
    for (const host of hosts()) expect(await statusOf(path, host)).toBe(404);
  });

  it.each([
    `/auth;a=b/realms/master/${DISCOVERY}`,
    `/auth/REALMS/master/${DISCOVERY}`,
    `/auth/realms/MASTER/${DISCOVERY}`,
    `/auth/realms%2Fmaster/${DISCOVERY}`,
    `/auth/realms%2fmaster%2f${DISCOVERY}`,
    `/auth%2Frealms/master/${DISCOVERY}`,
    `/auth/realms/%256daster/${DISCOVERY}`,
    `/auth/realms/master%3Ba=b/${DISCOVERY}`,
    `/auth/realms%3Ba=b/master/${DISCOVERY}`,
    `/auth/realms/master%00/${DISCOVERY}`,
    `/auth/realms/master%20/${DISCOVERY}`,
    `/auth/realms\\master/${DISCOVERY}`,
    `/auth/realms/${NAME}/%2e%2e%2fmaster/${DISCOVERY}`,
    `/auth/realms/${NAME}/..;/master/${DISCOVERY}`,
    '/auth/ADMIN/realms',
    '/auth/admin%2Frealms',
    '/auth/resources/..%2fadmin/realms',
    '/auth/resources/..;/admin/serverinfo',
  ])('does not reach it with %s', async (path) => {
    expect(await statusOf(path, hosts()[0] ?? '')).toBeGreaterThanOrEqual(400);
  });

  it('serves every other realm, also one with the same prefix', async () => {
    expect(await statusOf(`/auth/realms/${NAME}/${DISCOVERY}`, hosts()[0] ?? '')).toBe(200);
    const { issuer } = (await (await fetch(`${platform().baseUrl}/auth/realms/${NAME}/${DISCOVERY}`)).json()) as {
      issuer: string;
    };
    expect(issuer).toBe(`${platform().baseUrl}/auth/realms/${NAME}`);
  });
});

describe('a start of the platform', () => {
  it('protects master again after a manual change', async () => {
    await admin.realms.update({ realm: 'master' }, { bruteForceProtected: false, passwordPolicy: '' });
    await setUpMaster(platform());
    expect(await admin.realms.findOne({ realm: 'master' })).toMatchObject({
      bruteForceProtected: true,
      failureFactor: 10,
      passwordPolicy: 'length(15) and notUsername and notEmail',
      attributes: { frontendUrl: platform().keycloakUrl },
    });
  });

  it('keeps the privileges of the operator’s account', async () => {
    const [client] = await admin.clients.find({ realm: 'master', clientId: 'hms-operator' });
    const { id = '' } = await admin.clients.getServiceAccountUser({ realm: 'master', id: client?.id ?? '' });
    const { realmMappings = [], clientMappings = {} } = await admin.users.listRoleMappings({ realm: 'master', id });
    expect(realmMappings.map(({ name }) => name)).toEqual(['create-realm']);
    const { 'master-realm': own } = clientMappings as Record<string, { mappings: { name: string }[] }>;
    expect(own?.mappings.map(({ name }) => name)).toEqual(['view-realm']);
  });
});

describe("Keycloak's own address", () => {
  it('serves the console and its login', async () => {
    const { keycloakUrl } = platform();
    const page = await (await fetch(`${keycloakUrl}/admin/master/console/`)).text();
    const { serverBaseUrl, adminBaseUrl, authUrl } = JSON.parse(
      /<script id="environment" type="application\/json">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '{}',
    ) as Record<string, string>;
    expect({ serverBaseUrl, adminBaseUrl, authUrl }).toEqual({
      serverBaseUrl: keycloakUrl,
      adminBaseUrl: keycloakUrl,
      authUrl: keycloakUrl,
    });
  });

  it('locks an account of master after wrong passwords', async () => {
    const [{ id = '' } = {}] = await admin.users.find({ realm: 'master', username: NAME });
    const login = async (password: string) => {
      const body = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username: NAME, password });
      const url = `${platform().keycloakUrl}/realms/master/protocol/openid-connect/token`;
      const answer = await fetch(url, { method: 'POST', body });
      await answer.body?.cancel();
      return answer.status;
    };
    expect(await login(PASSWORD)).toBe(200);
    for (let guess = 0; guess < 30; guess++) expect(await login(`guess ${guess}`)).toBeGreaterThanOrEqual(400);
    expect(await admin.attackDetection.findOne({ realm: 'master', id })).toMatchObject({ disabled: true });
    expect(await login(PASSWORD)).toBeGreaterThanOrEqual(400);
  });
});
