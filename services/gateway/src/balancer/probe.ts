import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Upstream } from '../entities/upstreams.ts';

type ActiveCheck = Upstream['healthchecks']['active'];

/**
 * Probes a target as Kong does: one HTTP/1.0 GET on a new connection. Rejects if the
 * check's settings can't be used to connect.
 * @returns the HTTP status, or how it failed
 */
export function probe(
  host: string,
  port: number,
  hostHeader: string,
  check: ActiveCheck,
  signal: AbortSignal,
): Promise<number | 'tcp_failure' | 'timeout'> {
  return new Promise((resolve) => {
    const socket = open(host, port, check);
    const abandon = () => socket.destroy();
    signal.addEventListener('abort', abandon);
    const timer = setTimeout(() => finish('timeout'), check.timeout * 1000 || 1000);
    let received = '';
    const finish = (result: number | 'tcp_failure' | 'timeout') => {
      clearTimeout(timer);
      // The signal outlives thousands of probes.
      signal.removeEventListener('abort', abandon);
      socket.destroy();
      resolve(result);
    };
    socket.setEncoding('latin1');
    socket.on(check.type === 'https' ? 'secureConnect' : 'connect', () => {
      socket.write(requestText(hostHeader, check));
    });
    socket.on('data', (chunk: string) => {
      received += chunk;
      const status = /^HTTP\/1\.[01] (\d{3})[ \r]/.exec(received);
      if (status) finish(Number(status[1]));
      else if (received.length > 64) finish('tcp_failure');
    });
    socket.on('error', () => finish('tcp_failure'));
    socket.on('close', () => finish('tcp_failure'));
  });
}

function open(host: string, port: number, check: ActiveCheck): Socket {
  if (check.type !== 'https') return connectTcp({ host, port });
  const servername = check.https_sni ?? undefined;
  return connectTls({
    host,
    port,
    rejectUnauthorized: check.https_verify_certificate,
    ...(servername !== undefined && { servername }),
  });
}

function requestText(hostHeader: string, check: ActiveCheck): string {
  const extra = Object.entries(check.headers ?? {}).flatMap(([name, values]) =>
    (values ?? []).map((value) => `${name}: ${value ?? ''}\r\n`),
  );
  return `GET ${check.http_path} HTTP/1.0\r\n${extra.join('')}Host: ${hostHeader}\r\n\r\n`;
}
