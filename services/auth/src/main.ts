/** The module auth: logs people in. */
import { requestReconcile } from '@hms/database';
import { createMailer, mailServerOf, SMTP_SETTINGS, type SmtpSettings } from '@hms/mail';
import { SettingsError, startModule } from '@hms/service';
import { z } from 'zod';
import { KeyWatch } from './key-watch.ts';
import { createKeycloak } from './keycloak.ts';
import { authModule } from './module.ts';
import { challengeStore } from './sessions/challenges.ts';
import { codeMailer } from './sessions/code-mail.ts';
import { codeLimits, loginLimits } from './sessions/login-limits.ts';
import { readSigningKey } from './signing-key.ts';

await startModule({
  name: 'auth',
  settings: { AUTH_SIGNING_KEY_FILE: z.string().min(1), ...SMTP_SETTINGS },
  define: async (platform, { AUTH_SIGNING_KEY_FILE, ...smtp }) => {
    const key = await readSigningKey(AUTH_SIGNING_KEY_FILE);
    return authModule({
      db: platform.db,
      registry: platform.registry,
      baseUrl: platform.baseUrl,
      key,
      keycloak: createKeycloak(platform, key),
      limits: loginLimits(platform.db),
      codeLimits: codeLimits(platform.db),
      challenges: challengeStore(platform.db, key.secrets),
      mailer: codeMailer(createMailer(mailServer(smtp)), platform.log),
      log: platform.log,
      keys: new KeyWatch({
        onNewKey: (realm) => requestReconcile(platform.db, realm),
        onError: (error) => platform.log.warn({ err: error }, 'could not notify the operator of a new signing key'),
      }),
    });
  },
});

function mailServer(settings: SmtpSettings) {
  try {
    return mailServerOf(settings);
  } catch (error) {
    throw new SettingsError([error instanceof Error ? error.message : String(error)]);
  }
}
