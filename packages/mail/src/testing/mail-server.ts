/** A real mail server for tests, which demands TLS and a login as asked, and keeps what it gets. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { MailServer, TlsMode } from '../settings.ts';

export interface TestMailServerOptions {
  /** What it offers. `none` hides STARTTLS. */
  readonly tls: TlsMode;
  /** PEM of its certificate for `localhost`. */
  readonly certificate?: { readonly cert: string; readonly key: string };
  /** Demanded if given. */
  readonly login?: { readonly user: string; readonly password: string };
  /** Answer to every recipient instead of acceptance. */
  readonly refusal?: { readonly status: number; readonly text: string };
}

export interface ReceivedMail {
  readonly secure: boolean;
  readonly user: string | undefined;
  readonly recipients: readonly string[];
  /** The whole message as sent. */
  readonly raw: string;
}

export interface TestMailServer extends Pick<MailServer, 'host' | 'port'> {
  readonly received: readonly ReceivedMail[];
  stop(): Promise<void>;
}

export async function startTestMailServer(options: TestMailServerOptions): Promise<TestMailServer> {
  const { tls, certificate, login, refusal } = options;
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    secure: tls === 'implicit',
    ...certificate,
    disabledCommands: [...(tls === 'starttls' ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
    authOptional: login === undefined,
    onAuth({ username, password }, _, done) {
      const isRight = username === login?.user && password === login?.password;
      if (isRight) done(null, { user: username });
      else done(Object.assign(new Error('Authentication failed'), { responseCode: 535 }));
    },
    onRcptTo(_, __, done) {
      done(refusal ? Object.assign(new Error(refusal.text), { responseCode: refusal.status }) : null);
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push({
          secure: session.secure,
          user: session.user,
          recipients: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('utf8'),
        });
        done();
      });
    },
  });
  // A client that refuses the certificate ends the connection.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    host: 'localhost',
    port: (server.server.address() as AddressInfo).port,
    received,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
