import { BackendError, isConnectionError, unreachable } from '../errors.ts';

/** Turns what went wrong with a query into a BackendError. @param address host:port/database, without the password. */
export function explain(address: string, error: unknown): unknown {
  if (error instanceof BackendError) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  // A connection that can't be had from the pool, or classes 08 (connection), 53 (resources) and 57 (operator intervention).
  if (
    isConnectionError(error) ||
    /^(08|53|57)/.test(code) ||
    (error instanceof Error && error.name === 'KnexTimeoutError')
  ) {
    return unreachable('PostgreSQL', address, error);
  }
  // The client's own limit, where the server does not even end the statement. knex puts the statement before it.
  if (code === '' && String(error).endsWith('Query read timeout')) {
    return unreachable('PostgreSQL', address, new Error('it takes connections and answers nothing'));
  }
  if (/connection/i.test(String(error)) && code === '') return unreachable('PostgreSQL', address, error);
  const message = error instanceof Error ? error.message : String(error);
  // Class 28: the password or the role itself is refused.
  if (code === '42501' || code.startsWith('28'))
    return new BackendError('Forbidden', `PostgreSQL refuses the operator's role: ${message}`, error);
  if (code === '42P01' || code === '3F000') {
    return new BackendError(
      'NotFound',
      `PostgreSQL lacks something that the platform makes at start: ${message}`,
      error,
    );
  }
  if (code === '40001' || code === '40P01' || code === '55P03' || code === 'XX000') {
    return new BackendError('Unavailable', `PostgreSQL asks to try again: ${message}`, error);
  }
  return code ? new BackendError('Invalid', `PostgreSQL answered ${code}: ${message}`, error) : error;
}
