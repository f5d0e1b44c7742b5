import { expect, it } from '@jest/globals';
import { printed } from './printing.ts';

const rendered = { pdf: new Uint8Array(1), sha256: '', logoError: undefined };

it('names the characters that a printed document shows as codes, as many as a header holds', async () => {
  const headersOf = async (missing: readonly string[]) =>
    (await printed('a.pdf', Promise.resolve({ ...rendered, missing }))).headers;
  expect(await headersOf(['😀', '\u0007'])).toMatchObject({ 'X-Missing-Characters': 'U+1F600 U+0007' });
  expect(await headersOf([])).not.toHaveProperty('X-Missing-Characters');
  const many = await headersOf(Array.from({ length: 500 }, (_, index) => String.fromCodePoint(0xe000 + index)));
  expect(many?.['X-Missing-Characters']?.split(' ')).toHaveLength(50);
});
