/** PostgreSQL's cancel request. It needs the secret of a connection and no privilege, and works behind a pooler too. */
import pg from 'pg';

const TIMEOUT_MS = 2_000;

/** Fields of pg's clients that its types do not have. */
interface Target {
  readonly host: string;
  readonly port: number;
  readonly ssl: pg.ConnectionConfig['ssl'];
  readonly processID: number;
  readonly secretKey: number;
}

/** Methods of pg's connections that its types do not have. */
interface CancelConnection extends pg.Connection {
  /** @param port or the path of a socket. */
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

/**
 * Makes PostgreSQL end the statement that runs on a connection, which then fails with 57014. Resolves when PostgreSQL has
 * taken the request, or when it can't be reached.
 */
export async function cancelStatement(client: pg.ClientBase): Promise<void> {
  const { host, port, ssl, processID, secretKey } = client as unknown as Target;
  const connection = new pg.Connection({ ...(ssl ? { ssl } : {}) }) as CancelConnection;
  const send = () => connection.cancel(processID, secretKey);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      connection.stream.destroy();
      resolve();
    }, TIMEOUT_MS);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    // PostgreSQL sends no response, and closes the connection.
    connection.on('end', end).on('error', end).on('sslconnect', send);
    connection.on('connect', () => (ssl ? connection.requestSsl() : send()));
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
}
