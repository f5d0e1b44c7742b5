import { randomUUID } from 'node:crypto';

/**
 * The id of a request: the client's if that is a UUID, otherwise a new one. Any other text of a client
 * would be injected into logs and error pages.
 * @param sentId the client's X-Request-ID
 */
export function requestId(sentId?: string | string[]): string {
  return isUuid(sentId) ? sentId : randomUUID();
}

export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && UUID.test(text);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
