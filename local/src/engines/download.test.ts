import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type net from 'node:net';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { inFolder } from '../process/testing.ts';
import type { Progress } from '../report.ts';
import { digestFor, download } from './download.ts';

const CONTENT = 'an engine'.repeat(100_000);
const DIGEST = createHash('sha256').update(CONTENT).digest('hex');

/** A publisher of `/engine.zip` with the given checksum file. */
async function publishing(checksums: string, work: (origin: string) => Promise<void>): Promise<void> {
  const server = http.createServer((request, response) => {
    if (request.url === '/engine.zip') response.end(CONTENT);
    else if (request.url === '/checksums.txt') response.end(checksums);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await work(`http://127.0.0.1:${(server.address() as net.AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function fetchInto(
  folder: string,
  origin: string,
  name = 'engine.zip',
  progress: Progress = () => undefined,
): Promise<void> {
  return download(
    { url: `${origin}/${name}`, checksums: `${origin}/checksums.txt`, algorithm: 'sha256' },
    path.join(folder, name),
    progress,
  );
}

describe('download', () => {
  it('keeps a file with the published checksum', () =>
    inFolder((folder) =>
      publishing(`${DIGEST}  engine.zip\n`, async (origin) => {
        await fetchInto(folder, origin);
        expect(fs.readFileSync(path.join(folder, 'engine.zip'), 'utf8')).toBe(CONTENT);
      }),
    ));

  it('refuses a file with another checksum', () =>
    inFolder((folder) =>
      publishing(`${DIGEST.replaceAll(/[0-9]/g, '0')}  engine.zip\n`, async (origin) => {
        await expect(fetchInto(folder, origin)).rejects.toThrow(/its publisher says/);
      }),
    ));

  it('refuses a file without a published checksum', () =>
    inFolder((folder) =>
      publishing(`${DIGEST}  other.zip\n`, async (origin) => {
        await expect(fetchInto(folder, origin)).rejects.toThrow(/has no checksum of engine.zip/);
      }),
    ));

  it('reports its progress', () =>
    inFolder((folder) =>
      publishing(`${DIGEST}  engine.zip\n`, async (origin) => {
        let now = () => '';
        await fetchInto(folder, origin, 'engine.zip', (progress) => {
          now = progress;
        });
        expect(now()).toBe('0.9 of 0.9 MB');
      }),
    ));

  it('names the unreachable host, and the reason', () =>
    inFolder(async (folder) => {
      let closed = '';
      await publishing('', async (origin) => {
        closed = origin;
      });
      await expect(fetchInto(folder, closed)).rejects.toThrow(
        new RegExp(`^${new URL(closed).host} can't be reached \\(.*ECONNREFUSED.*\\)$`),
      );
    }));

  it('names the address and the status of an error response', () =>
    inFolder((folder) =>
      publishing(`${DIGEST}  none.zip\n`, async (origin) => {
        await expect(fetchInto(folder, origin, 'none.zip')).rejects.toThrow(`${origin}/none.zip answered 404`);
      }),
    ));
});

describe('digestFor', () => {
  it.each([
    `${DIGEST}`,
    `${DIGEST}\n`,
    `${DIGEST} *engine.zip`,
    `${DIGEST}  dist/engine.zip`,
    `0${DIGEST.slice(1)}  a\n${DIGEST}  engine.zip`,
  ])('reads %j', (list) => {
    expect(digestFor('engine.zip', list)).toBe(DIGEST);
  });
});
