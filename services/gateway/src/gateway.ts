import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { type AdminParts, answerAdmin, refuseMethod, STATUS_ONLY } from './admin/admin.ts';
import { refuseWebPages } from './admin/callers.ts';
import { answerUnready } from './admin/unready.ts';
import { developmentCertificate } from './certificate.ts';
import { KONG_VERSION } from './identity.ts';
import { TrafficMetrics } from './metrics.ts';
import { IpRanges } from './proxy/ip-ranges.ts';
import { createAdminListener, createProxyListener, type Listener } from './proxy/listeners.ts';
import { RequestProxy } from './proxy/proxy.ts';
import { Runtime } from './runtime/runtime.ts';
import type { Address, Settings } from './settings.ts';
import { SharedConfiguration } from './shared-configuration.ts';
import { databaseJournal } from './store/database-journal.ts';
import type { AdminError } from './store/errors.ts';
import { fileJournal } from './store/file-journal.ts';
import { lockFolder } from './store/folder-lock.ts';
import { Store } from './store/store.ts';

export interface Gateway {
  /** The ports of its listeners. */
  readonly ports: {
    readonly proxy: number;
    readonly proxyTls: number;
    readonly admin: number;
    readonly status?: number;
  };
  /** Waits for requests in progress, then closes everything. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a gateway. Rejects with a message for the user if a port or the data folder is in use. While it waits for the
 * configuration's database, the status listener already reports this.
 */
export async function startGateway(settings: Settings, log: Logger): Promise<Gateway> {
  const lock = await lockFolder(settings.dataDir);
  let ready: AdminParts | undefined;
  const listenForPrograms = (handle: RequestListener, refuse?: (target: string) => AdminError) =>
    createAdminListener(refuseWebPages([settings.admin.host, ...settings.adminHosts], log, handle), refuse);
  const status = listenForPrograms((request, response) => {
    if (ready) void answerAdmin(ready, request, response, STATUS_ONLY);
    else answerUnready(request, response);
  });
  try {
    if (settings.status) await listen(status, settings.status, 'GATEWAY_STATUS_LISTEN');
  } catch (error) {
    await lock.release();
    throw error;
  }
  const shared = new SharedConfiguration(log);
  const store = await Store.open(
    settings.databaseUrl
      ? databaseJournal(settings.databaseUrl, shared)
      : fileJournal(settings.dataDir, {
          warn: (error) =>
            log.warn({ err: error }, 'The configuration could not be compacted; the longer file stays in use'),
        }),
  );
  const nodeId = randomUUID();
  const metrics = new TrafficMetrics(nodeId, KONG_VERSION);
  const runtime = new Runtime(store, metrics, {
    targetHealthChanged: (upstream, address, healthy) => {
      log[healthy ? 'info' : 'warn'](
        { upstream, target: address },
        healthy ? 'The target is healthy again' : 'The target is unhealthy',
      );
    },
    badCertificate: (error) =>
      log.warn({ err: error }, 'A certificate can’t be used; the gateway’s own is used instead'),
  });
  runtime.refresh();
  shared.follow(store, runtime);
  const trusted = settings.trustedIps.length > 0 ? new IpRanges(settings.trustedIps) : undefined;
  const proxy = new RequestProxy(runtime, metrics, log, settings.upstreamRequests, trusted);
  const plain = createProxyListener(proxy);
  const tls = createProxyListener(proxy, {
    ...(await developmentCertificate(settings.dataDir)),
    contextFor: (servername) => runtime.serverCertificates().find(servername),
  });
  const connections = () => [plain.counts, tls.counts];
  const parts: AdminParts = {
    ...{ store, runtime, metrics, nodeId, dataDir: settings.dataDir, connections, log },
    databaseReachable: () => shared.reachable,
    draining: () => proxy.draining,
  };
  const admin = listenForPrograms(
    (request, response) => void answerAdmin(parts, request, response),
    (target) => refuseMethod(parts, target),
  );
  const listeners = [plain, tls, admin, status];
  const stop = async () => {
    proxy.draining = true;
    await Promise.all(listeners.map((listener) => listener.stop(GRACE_MS)));
    await runtime.stop();
    await store.close();
    await lock.release();
  };
  try {
    await listen(plain, settings.proxy, 'GATEWAY_PROXY_LISTEN');
    await listen(tls, settings.proxyTls, 'GATEWAY_PROXY_TLS_LISTEN');
    await listen(admin, settings.admin, 'GATEWAY_ADMIN_LISTEN');
  } catch (error) {
    await stop();
    throw error;
  }
  ready = parts;
  const ports = { proxy: plain.port, proxyTls: tls.port, admin: admin.port };
  return { ports: { ...ports, ...(settings.status && { status: status.port }) }, stop };
}

async function listen(listener: Listener, address: Address, variable: string): Promise<void> {
  try {
    await listener.listen(address);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason =
      code === 'EADDRINUSE'
        ? `Port ${address.port} on ${address.host} is taken`
        : `Can't listen on ${address.host}:${address.port} (${message})`;
    throw new Error(`${reason}; free it, or set ${variable} to another address`);
  }
}

/** As long as `kong quit` waits. */
const GRACE_MS = 10_000;
