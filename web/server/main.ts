/** The process web: serves the pages. */
import { createLog, drain, readSettings, serve, startProcess } from '@hms/service';
import { webApp } from './app.ts';
import { authClient } from './auth-client.ts';
import { readCookieKeys } from './cookie-keys.ts';
import { readPages } from './pages.ts';
import { WEB_SETTINGS } from './settings.ts';

await startProcess('web', async () => {
  const settings = readSettings(WEB_SETTINGS, process.env);
  const log = createLog('web', settings.LOG_LEVEL);
  const keys = await readCookieKeys(settings.WEB_COOKIE_KEYS_FILE);
  const app = webApp({
    settings,
    keys,
    log,
    auth: authClient(settings.AUTH_URL),
    pages: readPages(settings.WEB_PAGES),
  });
  await serve({
    host: settings.HOST,
    port: settings.PORT,
    handler: app.handler,
    log,
    stop: (server) => {
      app.stopping();
      return drain(server, log);
    },
  });
});
