import { describe, expect, it } from '@jest/globals';
import { describeError } from './log.ts';

describe('describeError', () => {
  it('omits the value that PostgreSQL could not parse, and other attachments', () => {
    const error = Object.assign(new Error('invalid input syntax for type uuid: "Jane Doe"'), {
      code: '22P02',
      detail: 'Failing row contains (Jane Doe)',
      bindings: ['Jane Doe'],
    });
    const logged = describeError(new Error('outer', { cause: error }));
    expect(JSON.stringify(logged)).not.toContain('Jane');
    expect(logged).toMatchObject({
      message: 'outer',
      cause: { code: '22P02', message: expect.stringContaining('uuid') },
    });
  });

  it('names the constraint, and keeps the stack', () => {
    const error = Object.assign(new Error('on purpose'), { code: '23505', constraint: 'patients_patient_code_key' });
    expect(describeError(error)).toMatchObject({
      code: '23505',
      constraint: 'patients_patient_code_key',
      stack: expect.stringContaining('log.test.ts'),
    });
    expect(describeError('text')).toEqual({ message: 'text' });
  });
});
