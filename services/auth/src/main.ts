/** The module auth: logs people in. */
import { requestReconcile } from '@hms/database';
import { createMailer, mailServerOf, SMTP_SETTINGS, type SmtpSettings } from '@hms/mail';
import { SettingsError, startModule } from '@hms/service';
import { z } from 'zod';
import { createAccounts } from './accounts.ts';
import { AuditRetention } from './audit-retention.ts';
import { EventCollector } from './identity-events/collector.ts';
import { MOST_SECONDS } from './impersonations/impersonations.service.ts';
import { KeyWatch } from './key-watch.ts';
import { createKeycloak } from './keycloak.ts';
import { authModule } from './module.ts';
import { mailQueue } from './outgoing-mail.ts';
import { codeLimits, displayLimits, loginLimits, searchLimits } from './sessions/login-limits.ts';
import { readSigningKey } from './signing-key.ts';

await startModule({
  name: 'auth',
  settings: {
    AUTH_SIGNING_KEY_FILE: z.string().min(1),
    HOSPITAL_DIRECTORY: z.enum(['search', 'list']).default('search'),
    IMPERSONATION_SECONDS: z.coerce.number().int().min(60).max(MOST_SECONDS).default(MOST_SECONDS),
    ...SMTP_SETTINGS,
  },
  define: async (platform, { AUTH_SIGNING_KEY_FILE, HOSPITAL_DIRECTORY, IMPERSONATION_SECONDS, ...smtp }) => {
    const { db, registry, baseUrl, keycloakUrl, log } = platform;
    const key = await readSigningKey(AUTH_SIGNING_KEY_FILE);
    const keycloak = createKeycloak(platform, key);
    const accounts = createAccounts(keycloak, keycloakUrl);
    const mailer = createMailer(mailServer(smtp));
    return authModule({
      platform,
      registry,
      baseUrl,
      key,
      keycloak,
      accounts,
      events: new EventCollector({ platform, accounts }),
      retention: new AuditRetention({ platform, key }),
      directory: HOSPITAL_DIRECTORY,
      impersonationSeconds: IMPERSONATION_SECONDS,
      limits: loginLimits(db),
      codeLimits: codeLimits(db),
      displayLimits: displayLimits(db),
      searchLimits: searchLimits(db),
      mails: mailQueue(mailer, log),
      mailer,
      log,
      keys: new KeyWatch({
        onNewKey: (realm) => requestReconcile(db, realm),
        onError: (error) => log.warn({ err: error }, 'could not notify the operator of a new signing key'),
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
