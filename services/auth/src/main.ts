/** The module auth: logs people in. */
import { startModule } from '@hms/service';
import { z } from 'zod';
import { createKeycloak } from './keycloak.ts';
import { authModule } from './module.ts';
import { readSigningKey } from './signing-key.ts';

await startModule({
  name: 'auth',
  settings: { AUTH_SIGNING_KEY_FILE: z.string().min(1) },
  define: async (platform, { AUTH_SIGNING_KEY_FILE }) => {
    const key = await readSigningKey(AUTH_SIGNING_KEY_FILE);
    return authModule({
      registry: platform.registry,
      baseUrl: platform.baseUrl,
      key,
      keycloak: createKeycloak(platform, key),
    });
  },
});
