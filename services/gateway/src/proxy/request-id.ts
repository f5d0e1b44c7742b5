import { randomUUID } from 'node:crypto';

/**
 * The id of a request: the one that the client sent where that is a UUID, else a new one. Any other text of a client
 * would let it write into logs and error pages.
 * @param given the client's X-Request-ID
 */
export function requestId(given?: string | string[]): string {
  return isUuid(given) ? given : randomUUID();
}

export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && UUID.test(text);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
