import { createServer, type Server } from 'node:http';
import type { Registry } from 'prom-client';

export interface HealthOptions {
  readonly host: string;
  readonly port: number;
  readonly metrics: Registry;
  /** @returns what is not ready yet, one sentence each, or empty if ready. */
  readonly notReady: () => readonly string[];
}

/** Serves /health (liveness), /ready (readiness) and /metrics. */
export function serveHealth({ host, port, metrics, notReady }: HealthOptions): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    if (path === '/health') return sendJson(200, { status: 'ok' });
    if (path === '/ready') {
      const problems = notReady();
      return sendJson(problems.length === 0 ? 200 : 503, {
        status: problems.length === 0 ? 'ok' : 'waiting',
        problems,
      });
    }
    if (path !== '/metrics') return sendJson(404, { status: 'unknown path: use /health, /ready or /metrics' });
    metrics.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      (error: unknown) => sendJson(500, { status: String(error) }),
    );

    function sendJson(status: number, body: unknown): void {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}
