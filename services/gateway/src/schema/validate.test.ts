import { expect, test } from '@jest/globals';
import { validateField } from './validate.ts';

test('a large set drops duplicates and is validated quickly', () => {
  const many = Array.from({ length: 200_000 }, (_, index) => `tag-${index}`);
  const startedAt = performance.now();
  const { value, errors } = validateField({ type: 'set', elements: { type: 'string' } }, [...many, ...many]);
  expect(performance.now() - startedAt).toBeLessThan(5000);
  expect(errors).toBeUndefined();
  expect((value as string[]).length).toBe(many.length);
});
