/**
 * The mail catcher: `main.ts <SMTP port> <web port> <folder>`. It has no login, and answers every page of every site,
 * so the requests of web pages are refused before they reach it.
 */
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { callerOf, refusalOf } from '@hms/gateway/callers';
import { MailDev } from 'maildev';

const [smtp, web, mailDirectory = ''] = process.argv.slice(2);
const ip = '127.0.0.1';
const catcher = new MailDev({
  smtp: Number(smtp),
  ip,
  web: Number(web),
  webIp: ip,
  mailDirectory,
  maxEmails: 1000,
  // It would log addresses, and subjects with codes.
  silent: true,
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void catcher.stop());
const { api } = await catcher.start();
const server = api?.server.server;
if (!server) throw new Error('the mail catcher has no web server');
guard(server as Server);

/** No request is read between `listen` and this, because both run in the same turn of the event loop. */
function guard(server: Server): void {
  const listeners = server.listeners('request') as RequestListener[];
  const upgrades = server.listeners('upgrade') as ((request: IncomingMessage, socket: Duplex, head: Buffer) => void)[];
  server.removeAllListeners('request').removeAllListeners('upgrade');
  server.on('request', (request, response) => {
    if (isForeign(request)) response.writeHead(403, { connection: 'close' }).end(REFUSAL);
    else for (const listener of listeners) listener.call(server, request, response);
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => undefined);
    if (isForeign(request)) socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
    else for (const listener of upgrades) listener.call(server, request, socket, head);
  });
}

function isForeign(request: IncomingMessage): boolean {
  return refusalOf(callerOf(request), new Set()) !== undefined;
}

const REFUSAL = `Web pages of other sites may not use the mail catcher. Type its address, http://localhost:${web}, into the browser.\n`;
