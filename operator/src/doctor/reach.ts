/** Checks that an engine's host has an address, listens, and presents a valid certificate. */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';
import type { Config } from '../config.ts';
import { type Finding, failed, ok, PATIENCE_MS, reason, warning } from './finding.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
  /** `postgres` first requests TLS in PostgreSQL's protocol. */
  readonly tls?: 'direct' | 'postgres';
  /** Certificates to trust in addition to the default ones. */
  readonly ca?: string;
  /** Whether any certificate is accepted. */
  readonly unchecked?: boolean;
}

/** How the doctor checks an engine. */
export interface EngineCheck {
  /** The engine, with which the names of its findings start. */
  readonly engine: string;
  readonly address: (config: Config) => Address;
  /** Called if the engine can be reached. */
  readonly ask: (config: Config) => Promise<Finding[]>;
}

const DAY_MS = 86_400_000;
/** Warn about a certificate this many days before it expires. */
const SOON_DAYS = 21;

/** @param url of an engine. PostgreSQL's uses TLS if its `sslmode` says so. */
export function addressOf(url: string): Address {
  const { protocol, hostname, port, searchParams } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'https:') return { host, port: Number(port || 443), tls: 'direct' };
  if (protocol === 'http:') return { host, port: Number(port || 80) };
  const mode = searchParams.get('sslmode') ?? 'disable';
  const ca = searchParams.get('sslrootcert');
  return {
    host,
    port: Number(port || 5432),
    ...(mode === 'disable' || mode === 'no-verify' ? {} : { tls: 'postgres' as const }),
    ...(ca ? { ca } : {}),
  };
}

/** @returns the findings up to the first failure. `reached` says whether the engine itself can be checked. */
export async function reach(engine: string, address: Address): Promise<{ findings: Finding[]; reached: boolean }> {
  const { host, port } = address;
  const findings: Finding[] = [];
  try {
    const addresses = await within(lookup(host, { all: true }));
    findings.push(ok(`${engine} DNS`, `${host} is ${addresses.map((entry) => entry.address).join(', ')}`));
  } catch (error) {
    const remedy = `check the name, and that this network's name server knows it (nslookup ${host})`;
    return { findings: [...findings, failed(`${engine} DNS`, reason(error), remedy)], reached: false };
  }
  let socket: net.Socket;
  try {
    socket = await connect(host, port);
    findings.push(ok(`${engine} TCP`, `${host}:${port} accepts connections`));
  } catch (error) {
    const remedy = `is it running, is ${port} its port, and do firewalls and network policies let this through?`;
    return {
      findings: [...findings, failed(`${engine} TCP`, `${host}:${port}: ${reason(error)}`, remedy)],
      reached: false,
    };
  }
  try {
    if (!address.tls) return { findings, reached: true };
    const certificate = await readCertificate(socket, address);
    findings.push(judgeCertificate(`${engine} TLS`, certificate));
  } catch (error) {
    findings.push(judgeHandshake(`${engine} TLS`, error));
  } finally {
    socket.destroy();
  }
  return { findings, reached: findings.every(({ status }) => status !== 'failed') };
}

/** The server answers and does not speak TLS. */
class NoTls extends Error {}

function judgeHandshake(name: string, error: unknown): Finding {
  const isPlain = Error.isError(error) && 'code' in error && PLAIN_ANSWERS.has(String(error.code));
  if (isPlain)
    return failed(name, 'the server does not speak TLS', 'write http:// instead of https://, or turn TLS on');
  if (error instanceof NoTls)
    return failed(
      name,
      error.message,
      "turn TLS on in the server, or allow plain text: for Kong's database with gateway.kong.database.tls=false, otherwise with sslmode=disable",
    );
  const [observed = ''] = reason(error).split('; if the root CA');
  return failed(
    name,
    observed,
    'give it a certificate for this name; for your own authority, set caBundle.configMap in the values of the chart, or NODE_EXTRA_CA_CERTS elsewhere',
  );
}

/** Codes of OpenSSL for a response that is not TLS. */
const PLAIN_ANSWERS = new Set(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG']);

/** Exported for tests. */
export function judgeCertificate(name: string, certificate: { valid_to: string }, now = Date.now()): Finding {
  const days = Math.floor((Date.parse(certificate.valid_to) - now) / DAY_MS);
  const observed = `the certificate is valid for ${days} more days`;
  return days >= SOON_DAYS ? ok(name, observed) : warning(name, observed, 'renew it');
}

async function connect(host: string, port: number): Promise<net.Socket> {
  const socket = net.connect({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  socket.on('error', () => undefined);
  return socket;
}

async function readCertificate(socket: net.Socket, address: Address): Promise<{ valid_to: string }> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  if (address.tls === 'postgres') {
    // SSLRequest, https://www.postgresql.org/docs/18/protocol-message-formats.html
    socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]));
    const [answer] = (await once(socket, 'data', { signal })) as [Buffer];
    if (answer.toString('latin1', 0, 1) !== 'S') throw new NoTls('the server has TLS turned off, and TLS is required');
  }
  const secure = tls.connect({
    socket,
    ...(net.isIP(address.host) ? {} : { servername: address.host }),
    host: address.host,
    rejectUnauthorized: !address.unchecked,
    ...(address.ca ? { ca: [...tls.rootCertificates, fs.readFileSync(address.ca, 'utf8')] } : {}),
  });
  await once(secure, 'secureConnect', { signal });
  return secure.getPeerCertificate();
}

/** The system's resolver can't be cancelled. */
async function within<T>(work: Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  return Promise.race([
    work,
    new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  ]);
}
