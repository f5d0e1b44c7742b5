/** Downloads that are kept only if they have the published checksum. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Agent, EnvHttpProxyAgent, fetch } from 'undici';
import type { Progress } from '../report.ts';

export interface Archive {
  readonly url: string;
  /** File with lines `<hex digest>  <file name>`, or with only the digest. */
  readonly checksums: string;
  readonly algorithm: 'sha1' | 'sha256' | 'sha512';
}

/** Downloads the archive to `file`. Throws if it can't, or if the checksum differs. */
export async function download(archive: Archive, file: string, progress: Progress): Promise<void> {
  const name = path.posix.basename(new URL(archive.url).pathname);
  const published = digestFor(name, await (await get(archive.checksums)).text());
  if (!published) throw new Error(`${archive.checksums} has no checksum of ${name}`);
  const answer = await get(archive.url);
  if (!answer.body) throw new Error(`${archive.url} answered without a body`);
  const hash = createHash(archive.algorithm);
  const size = Number(answer.headers.get('content-length'));
  let received = 0;
  progress(() => `${megabytes(received)}${size > 0 ? ` of ${megabytes(size)}` : ''} MB`);
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      received += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(answer.body, hashing, createWriteStream(file));
  const actual = hash.digest('hex');
  if (actual !== published) {
    throw new Error(`${archive.url} has the ${archive.algorithm} ${actual}, its publisher says ${published}`);
  }
}

/** The digest of one file in a published list. */
export function digestFor(name: string, list: string): string | undefined {
  for (const line of list.split('\n')) {
    const [digest = '', file] = line.trim().split(/\s+\*?/);
    if (!/^[0-9a-f]{40,128}$/i.test(digest)) continue;
    if (file === undefined || path.posix.basename(file) === name) return digest.toLowerCase();
  }
  return undefined;
}

const timeouts = { connect: { timeout: 10_000 }, headersTimeout: 30_000, bodyTimeout: 60_000 };
const proxied = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'].some((name) => process.env[name]);
const dispatcher = proxied ? new EnvHttpProxyAgent(timeouts) : new Agent(timeouts);

async function get(url: string) {
  const answer = await fetch(url, { dispatcher, redirect: 'follow' }).catch((error: unknown): never => {
    throw new Error(`${new URL(url).host} can't be reached (${reasonOf(error)})`);
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return answer;
}

/** The cause behind fetch's "fetch failed": `getaddrinfo ENOTFOUND …`, `ECONNREFUSED`. */
function reasonOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  const { message, code } = cause as { message?: string; code?: string };
  return message || code || String(cause);
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0);
}
