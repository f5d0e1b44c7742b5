import { describe, expect, it } from '@jest/globals';
import { BackendError } from '../backends/errors.ts';
import { outageError } from './outages.ts';

const since = Date.parse('2026-01-01T10:00:00Z');
const refused = new BackendError('Unavailable', "PostgreSQL at 127.0.0.1:1/hms can't be reached: refused");
const reset = new BackendError('Unavailable', "PostgreSQL at 127.0.0.1:1/hms can't be reached: reset");

describe('outageError', () => {
  it('says which engine is unavailable, since when, and when the next attempt is', () => {
    expect(outageError(refused, since, undefined).message).toBe(
      "PostgreSQL at 127.0.0.1:1/hms can't be reached: refused (unavailable since 2026-01-01T10:00:00Z; the operator checks every 5 s and retries as soon as it answers, at the latest 30 s after the last attempt)",
    );
  });

  it('keeps its exact text during an outage, whatever the next error', () => {
    const { message } = outageError(refused, since, undefined);
    expect(outageError(reset, since, message).message).toBe(message);
    expect(outageError(reset, since + 60_000, message).message).not.toBe(message);
  });

  it('keeps the times, however long the cause is', () => {
    const long = new BackendError('Unavailable', 'x'.repeat(500));
    const { message } = outageError(long, since, undefined);
    expect(message).toContain('unavailable since 2026-01-01T10:00:00Z');
    expect(message.endsWith('after the last attempt)')).toBe(true);
    expect(outageError(reset, since, message).message).toBe(message);
  });
});
