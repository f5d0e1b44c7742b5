import type { Schemas } from '@hms/api-client';
import { demonstrationSession, demonstrationUser, layout } from '@hms/local';
import { describe, expect, it } from '@jest/globals';
import { decodeJwt, SignJWT } from 'jose';
import { readSigningKey } from '../../../services/auth/src/signing-key.ts';
import { call } from '../../support/gateway.ts';
import { asKeycloakAdmin } from '../../support/keycloak-admin.ts';
import { until } from '../../support/until.ts';
import {
  accountOf,
  acting,
  admin,
  adminToken,
  at,
  begin,
  email,
  end,
  engines,
  expectRefused,
  hospital,
  IMPERSONATIONS,
  other,
  outcome,
  patients,
  renew,
  secretFor,
  state,
  supportToken,
} from './scene.ts';

describe('a stranger', () => {
  it('of the platform neither sees, renews nor ends what another one began', async () => {
    const live = await acting();
    expect(outcome(await end(live.id, adminToken))).toBe('IMPERSONATION_UNKNOWN');
    const list = await at('auth', 'GET', `${IMPERSONATIONS}/own`, { token: adminToken });
    expect(list.data<Schemas['Impersonation'][]>().map(({ id }) => id)).not.toContain(live.id);
    const key = `${'A'.repeat(42)}A`;
    expect(outcome(await renew({ id: live.id, key }))).toBe('IMPERSONATION_ENDED');
    expect(outcome(await patients(live.token))).toBe(200);
  });

  it('of another hospital neither uses the token there nor redeems the code', async () => {
    const begun = (await begin()).data<Schemas['StartedImpersonation']>();
    const { id } = begun.impersonation;
    expect(outcome(await secretFor(id, { hospital: other, code: begun.code }))).toBe('IMPERSONATION_ENDED');
    const first = await secretFor(id, { hospital, code: begun.code });
    const { accessToken: token } = first.data<Schemas['ImpersonationToken']>();
    const host = `${other}.${state.domain}`;
    expect((await call('GET', '/api/hms/patients', { token, host })).status).toBe(403);
    const foreignOwner = (await demonstrationSession(state, other, 'OWNER')).accessToken;
    expect(outcome(await end(id, foreignOwner))).toBe('IMPERSONATION_UNKNOWN');
  });

  it('redeems a code once, even in parallel, and not after a minute', async () => {
    const begun = (await begin()).data<Schemas['StartedImpersonation']>();
    const { id } = begun.impersonation;
    const redeem = (code: string, one = id) => secretFor(one, { hospital, code });
    const answers = await Promise.all(Array.from({ length: 5 }, () => redeem(begun.code)));
    expect(answers.map(outcome).sort()).toEqual([200, ...Array(4).fill('IMPERSONATION_ENDED')]);
    expect(outcome(await redeem(begun.code))).toBe('IMPERSONATION_ENDED');
    const late = (await begin()).data<Schemas['StartedImpersonation']>();
    const expired = engines.db.raw(`UPDATE platform.impersonations SET code_expires_at = now() WHERE id = ?`, [
      late.impersonation.id,
    ]);
    await expired;
    expect(outcome(await redeem(late.code, late.impersonation.id))).toBe('IMPERSONATION_ENDED');
    // A code is no key, and a key no code.
    const { code: fresh, impersonation } = (await begin()).data<Schemas['StartedImpersonation']>();
    expect(outcome(await secretFor(impersonation.id, { hospital, key: fresh }))).toBe('IMPERSONATION_ENDED');
  });

  it('finds no code and no key in the database', async () => {
    const live = await acting();
    const stored = JSON.stringify(
      await engines.db.raw('SELECT * FROM platform.impersonations WHERE id = ?', [live.id]),
    );
    for (const secret of [live.code, live.key, live.token]) expect(stored).not.toContain(secret);
  });

  it('with a token of the client that the registry does not know is refused by every module', async () => {
    const { token, id } = await acting();
    await engines.db.raw('DELETE FROM platform.impersonation_tokens WHERE impersonation_id = ?', [id]);
    await expectRefused(token);
  });
});

describe("the realm's client", () => {
  const keyOf = async () => readSigningKey(layout(state.dataDir).signingKey);

  const grant = async (realm: string, form: Readonly<Record<string, string>>) => {
    const key = await keyOf();
    const response = await fetch(`${state.keycloakUrl}/realms/${realm}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...form,
        client_id: 'hms-impersonation',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await key.assertion('hms-impersonation', `${state.baseUrl}/auth/realms/${realm}`),
      }),
    });
    return (await response.json()) as { access_token?: string; error?: string; error_description?: string };
  };
  const BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const soon = () => new Date(Date.now() + 60_000);

  it('takes an assertion once, only of the auth module, and only about the realm', async () => {
    await acting();
    const subject = await accountOf(email('DOCTOR'));
    const issuer = `${state.baseUrl}/auth/realms/${hospital}`;
    const assertion = await (await keyOf()).assertionAbout(subject, issuer, soon());
    const first = await grant(hospital, { grant_type: BEARER, assertion });
    expect(decodeJwt(first.access_token ?? '').sub).toBe(subject);
    expect((await grant(hospital, { grant_type: BEARER, assertion })).error_description).toBe('Token reuse detected');
    // Keycloak issued it, and nobody began an impersonation with it.
    expect(outcome(await patients(first.access_token ?? ''))).toBe('UNAUTHENTICATED');

    const elsewhere = await (await keyOf()).assertionAbout(subject, `${state.baseUrl}/auth/realms/${other}`, soon());
    expect((await grant(hospital, { grant_type: BEARER, assertion: elsewhere })).error).toBe('invalid_grant');
    const { privateKey } = await crypto.subtle.generateKey(
      { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
      true,
      ['sign', 'verify'],
    );
    const forged = await new SignJWT({ jti: 'forged' })
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer('https://hms-auth.invalid')
      .setSubject(subject)
      .setAudience(issuer)
      .setIssuedAt()
      .setExpirationTime('60 s')
      .sign(privateKey);
    expect((await grant(hospital, { grant_type: BEARER, assertion: forged })).error).toBe('invalid_grant');
  });

  it('gives nothing for a password, by itself, or in the realm of the platform', async () => {
    const { password } = await demonstrationUser(state, hospital, 'DOCTOR');
    const tries = [
      await grant(hospital, { grant_type: 'password', username: email('DOCTOR'), password }),
      await grant(hospital, { grant_type: 'client_credentials' }),
    ];
    expect(tries.map(({ error }) => error)).toEqual(['unauthorized_client', 'unauthorized_client']);
    const issuer = `${state.baseUrl}/auth/realms/console`;
    const assertion = await (await keyOf()).assertionAbout(admin.id, issuer, soon());
    expect((await grant('console', { grant_type: BEARER, assertion })).error).toBe('invalid_client');
  });

  it('carries no role of an OWNER, even if Keycloak is asked for one', async () => {
    const realm = hospital;
    const id = await accountOf(email('OWNER'));
    const { users } = await asKeycloakAdmin();
    await users.addToFederatedIdentity({
      ...{ realm, id, federatedIdentityId: 'hms-auth' },
      federatedIdentity: { identityProvider: 'hms-auth', userId: id, userName: id },
    });
    const assertion = await (await keyOf()).assertionAbout(id, `${state.baseUrl}/auth/realms/${realm}`, soon());
    const { access_token: token = '' } = await grant(realm, { grant_type: BEARER, assertion });
    await (await asKeycloakAdmin()).users.delFromFederatedIdentity({ realm, id, federatedIdentityId: 'hms-auth' });
    expect(JSON.stringify(decodeJwt(token).realm_access ?? {})).not.toContain('OWNER');
  });

  it('gives no token of an account that somebody has linked to another one', async () => {
    const realm = hospital;
    const [victim, id] = [await accountOf(email('ADMIN')), await accountOf(email('DOCTOR'))];
    const live = await acting();
    const { users } = await asKeycloakAdmin();
    const link = { realm, federatedIdentityId: 'hms-auth' };
    await users.delFromFederatedIdentity({ ...link, id });
    await users.addToFederatedIdentity({
      ...{ ...link, id: victim },
      federatedIdentity: { identityProvider: 'hms-auth', userId: id, userName: id },
    });
    expect((await renew(live)).status).toBe(500);
    await (await asKeycloakAdmin()).users.delFromFederatedIdentity({ ...link, id: victim });
    // The link is made again on demand.
    expect(outcome(await renew(live))).toBe(200);
  });

  it('leaves no link behind', async () => {
    const live = await acting({ role: 'RECEPTION' });
    const id = await accountOf(email('RECEPTION'));
    const links = async () => (await asKeycloakAdmin()).users.listFederatedIdentities({ realm: hospital, id });
    expect(await links()).toHaveLength(1);
    await end(live.id, supportToken);
    await until('the link to be removed', links, ({ length }) => length === 0, 20_000);
  });
});
