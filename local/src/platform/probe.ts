/** Probes of servers. */
import net from 'node:net';
import { Agent, fetch } from 'undici';

/** The platform's own certificates are self-signed. A probe only checks that a server answers. */
const dispatcher = new Agent({ connect: { rejectUnauthorized: false }, keepAliveTimeout: 1, pipelining: 0 });

export interface Credentials {
  readonly headers?: Record<string, string>;
  /** A client certificate, in PEM. */
  readonly client?: { readonly cert: string; readonly key: string };
}

/** Whether a GET is answered with 2xx. */
export async function answers(
  url: string,
  signal: AbortSignal,
  { headers = {}, client }: Credentials = {},
): Promise<boolean> {
  const own = client && new Agent({ connect: { rejectUnauthorized: false, ...client } });
  try {
    const answer = await fetch(url, { dispatcher: own ?? dispatcher, signal, headers, redirect: 'manual' });
    await answer.body?.cancel();
    return answer.ok;
  } finally {
    await own?.destroy();
  }
}

/** Whether a GET is answered with any status: a server that reports errors does not hang. */
export async function responds(url: string, signal: AbortSignal): Promise<boolean> {
  const answer = await fetch(url, { dispatcher, signal, redirect: 'manual' });
  await answer.body?.cancel();
  return true;
}

/** Whether a TCP port of this machine has a listener. */
export function listens(port: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1', signal });
    const done = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
  });
}
