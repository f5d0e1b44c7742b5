/** Whether something serves. */
import net from 'node:net';
import { Agent, fetch } from 'undici';

/** The platform's own certificates are self-made; a probe only asks whether somebody serves. */
const dispatcher = new Agent({ connect: { rejectUnauthorized: false }, keepAliveTimeout: 1, pipelining: 0 });

export interface Credentials {
  readonly headers?: Record<string, string>;
  /** A certificate of the client's own, in PEM. */
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

/** Whether a GET is answered, whatever the answer is: who can say that something is wrong does not hang. */
export async function responds(url: string, signal: AbortSignal): Promise<boolean> {
  const answer = await fetch(url, { dispatcher, signal, redirect: 'manual' });
  await answer.body?.cancel();
  return true;
}

/** Whether a TCP port of this machine is listened on. */
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
