/** The module auth: logs people in. */
import { requestReconcile } from '@hms/database';
import { startModule } from '@hms/service';
import { z } from 'zod';
import { KeyWatch } from './key-watch.ts';
import { createKeycloak } from './keycloak.ts';
import { authModule } from './module.ts';
import { loginLimits } from './sessions/login-limits.ts';
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
      limits: loginLimits(platform.db),
      keys: new KeyWatch({
        onNewKey: (realm) => requestReconcile(platform.db, realm),
        onError: (error) => platform.log.warn({ err: error }, 'could not notify the operator of a new signing key'),
      }),
    });
  },
});
