/** Whether people can log in now, for the platform's status page. */
import { cached, IDENTITY_UNAVAILABLE, type Platform, Problem, type Route, route } from '@hms/service';
import { CONSOLE_REALM } from '@hms/tenancy';
import { request } from 'undici';
import { z } from 'zod';

/** Anybody may ask, and Keycloak is asked this often at most, in milliseconds. */
const TTL = 5_000;
const TIMEOUT = 2_000;

const status = z.object({ login: z.literal('works') }).meta({ id: 'LoginStatus' });

export function statusRoute({ db, keycloakUrl }: Pick<Platform, 'db' | 'keycloakUrl'>): Route {
  const check = cached(
    async () => {
      await Promise.all([db.raw('SELECT 1'), askKeycloak(keycloakUrl)]);
      return { login: 'works' } as const;
    },
    Boolean,
    { ttl: TTL },
  );
  return route({
    method: 'GET',
    path: '/api/auth/status',
    operationId: 'readLoginStatus',
    summary: 'Whether people can log in now',
    access: 'public',
    response: status,
    handler: async () => ({ data: await check.get('') }),
  });
}

/** @throws Problem IDENTITY_UNAVAILABLE if Keycloak can't read a realm. */
async function askKeycloak(keycloakUrl: string): Promise<void> {
  try {
    const { statusCode, body } = await request(`${keycloakUrl}/realms/${CONSOLE_REALM}`, {
      signal: AbortSignal.timeout(TIMEOUT),
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`Keycloak answered ${statusCode}`);
  } catch (cause) {
    throw new Problem(IDENTITY_UNAVAILABLE, { cause });
  }
}
