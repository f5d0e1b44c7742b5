import { type Route, route } from '@hms/service';
import { z } from 'zod';
import type { SigningKey } from './signing-key.ts';

/** Public keys of the auth module. Each realm's client `hms-auth` trusts them, so no realm has a secret to keep. */
export function jwksRoute(key: SigningKey): Route {
  return route({
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'Public keys that sign the client assertions of this module (RFC 7517)',
    access: 'public',
    response: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
    bare: true,
    handler: async () => ({ data: { keys: [{ ...key.publicJwk }] } }),
  });
}
