import { describe, expect, it } from '@jest/globals';
import { explain } from './errors.ts';

const answer = (code: string) => explain('db:5432/hms', Object.assign(new Error('no'), { code }));

describe('explain', () => {
  it.each([
    ['28P01', 'a wrong password', 'Forbidden'],
    ['28000', 'a role that may not log in', 'Forbidden'],
    ['42501', 'a missing right', 'Forbidden'],
    ['53300', 'too many connections', 'Unavailable'],
    ['57P01', 'a server that stops', 'Unavailable'],
    ['40001', 'another transaction', 'Unavailable'],
    ['42P01', 'a missing table', 'NotFound'],
    ['22001', 'a value that is too long', 'Invalid'],
  ])('%s, %s, is %s', (code, _, kind) => {
    expect(answer(code)).toMatchObject({ kind });
  });

  it.each(['timeout expired', 'SELECT 1 - Query read timeout'])('%s is a server that hangs', (message) => {
    expect(explain('db:5432/hms', new Error(message))).toMatchObject({
      kind: 'Unavailable',
      message: "PostgreSQL at db:5432/hms can't be reached: it accepts connections but does not answer",
    });
  });

  it('removes the statement that knex puts before the message', () => {
    const error = Object.assign(new Error('SELECT a - 1\n FROM b - permission denied for table b'), { code: '42501' });
    const { message } = explain('db:5432/hms', error) as Error;
    expect(message).toBe("PostgreSQL refuses the operator's role: permission denied for table b");
  });
});
