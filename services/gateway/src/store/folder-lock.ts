import { createHash } from 'node:crypto';
import { mkdir, realpath, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Keeps a second process out of a data folder: the holder listens on a local socket that is named after the folder, so
 * the lock ends with the process, however it ends. Throws where another process holds it.
 */
export async function lockFolder(folder: string): Promise<{ release: () => Promise<void> }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
    .slice(0, 24);
  const path = join(tmpdir(), `gateway-${name}.sock`);
  const server = (await listen(path)) ?? (await takeOver(path));
  if (!server)
    throw new Error(
      `The folder ${folder} is in use by another gateway; stop it, or set GATEWAY_DATA_DIR to another folder`,
    );
  server.unref();
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** A socket that nobody answers on was left by a process that was killed. */
async function takeOver(path: string): Promise<Server | undefined> {
  const alive = await new Promise<boolean>((resolve) => {
    const socket = connect(path, () => resolve(true));
    socket.on('connect', () => socket.destroy());
    socket.on('error', () => resolve(false));
  });
  if (alive) return undefined;
  await unlink(path).catch(() => undefined);
  return listen(path);
}

function listen(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(path, () => resolve(server));
  });
}
