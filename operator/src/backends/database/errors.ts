import { BackendError, isConnectionError, unreachable } from '../errors.ts';

/** Converts the error of a query to a BackendError. @param address host:port/database, without the password. */
export function explain(address: string, error: unknown): unknown {
  if (error instanceof BackendError) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  // No connection from the pool, or classes 08 (connection), 53 (resources) and 57 (operator intervention).
  if (
    isConnectionError(error) ||
    /^(08|53|57)/.test(code) ||
    (error instanceof Error && error.name === 'KnexTimeoutError')
  ) {
    return unreachable('PostgreSQL', address, error);
  }
  // The client's timeouts, if the server does not even end the statement, or does not greet. knex puts the statement
  // before it.
  if (code === '' && /(?:Query read timeout|timeout expired)$/.test(String(error))) {
    return unreachable('PostgreSQL', address, new Error('it accepts connections but does not answer'));
  }
  if (/connection/i.test(String(error)) && code === '') return unreachable('PostgreSQL', address, error);
  const message = answerOf(error);
  // Class 28: the password or the role itself is refused.
  if (code === '42501' || code.startsWith('28'))
    return new BackendError('Forbidden', `PostgreSQL refuses the operator's role: ${message}`, error);
  if (code === '42P01' || code === '3F000') {
    return new BackendError(
      'NotFound',
      `PostgreSQL lacks something that the platform creates at start: ${message}`,
      error,
    );
  }
  if (code === '40001' || code === '40P01' || code === '55P03' || code === 'XX000') {
    return new BackendError('Unavailable', `PostgreSQL asked for a retry: ${message}`, error);
  }
  return code ? new BackendError('Invalid', `PostgreSQL answered ${code}: ${message}`, error) : error;
}

/** Only PostgreSQL's message: knex puts the whole statement before it. */
export function answerOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const end = message.lastIndexOf(' - ');
  return end < 0 ? message : message.slice(end + 3);
}
