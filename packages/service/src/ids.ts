import { v7 } from 'uuid';

/** A new id: a UUIDv7 (RFC 9562), so that ids sort by time and indexes grow at their end. */
export function newId(): string {
  return v7();
}
