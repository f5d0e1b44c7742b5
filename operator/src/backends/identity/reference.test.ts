import { describe, expect, it } from '@jest/globals';
import type { Keycloak } from './client.ts';
import { REFERENCE_REALM } from './expected.ts';
import { Reference } from './reference.ts';

/** @param found the realm of the reference's name that Keycloak already has. @returns also what was done to it. */
async function withRealm(found: { readonly id?: string } | undefined) {
  const done: string[] = [];
  let created: string | undefined;
  const realms = {
    findOne: async () => found,
    create: async ({ id, realm }: { id?: string; realm?: string }) => {
      created = id;
      done.push(`create ${realm}`);
    },
    del: async ({ realm }: { realm: string }) => done.push(`delete ${realm}`),
    export: async () => ({ keycloakVersion: '26' }),
  };
  const keycloak = { call: (_: string, work: (admin: unknown) => unknown) => work({ realms }) } as unknown as Keycloak;
  const [outcome] = await Promise.allSettled([new Reference(keycloak).of('26')]);
  return { outcome, done, created };
}

const [create, remove] = [`create ${REFERENCE_REALM}`, `delete ${REFERENCE_REALM}`];

describe('the realm that shows Keycloak’s defaults', () => {
  it('is deleted after its export', async () => {
    expect(await withRealm(undefined)).toMatchObject({ outcome: { status: 'fulfilled' }, done: [create, remove] });
  });

  it('is created again if an interrupted process has left it behind', async () => {
    const { created: id } = await withRealm(undefined);
    const { outcome, done } = await withRealm(id === undefined ? {} : { id });
    expect(outcome).toMatchObject({ status: 'fulfilled' });
    expect(done).toEqual([remove, create, remove]);
  });

  it.each([[{ id: 'of somebody else' }], [{}]])('is neither used nor deleted if it is %j', async (found) => {
    const { outcome, done } = await withRealm(found);
    expect(outcome).toMatchObject({
      reason: { kind: 'Conflict', message: expect.stringContaining("is not the operator's: delete or rename it") },
    });
    expect(done).toEqual([]);
  });
});
