import { describe, expect, it } from '@jest/globals';
import { searchTerms } from './search.ts';

const term = (...texts: string[]) => ({ texts, days: [] });

describe('searchTerms', () => {
  it.each([
    ['Jane  Doe', [term('Jane'), term('Doe')]],
    ['HSP-000123', [term('HSP-000123')]],
    ['Jane 812', [term('Jane'), term('812')]],
    ['+353 86 123-4599', [term('+353861234599')]],
    ['+353 (0)86 123 4599', [term('+353861234599')]],
    ['00353 86 123 4599', [term('00353861234599', '+353861234599')]],
    ['086 123 4599', [term('0861234599', '861234599')]],
    ['nora (086) 123.4599 quinn', [term('nora'), term('0861234599', '861234599'), term('quinn')]],
    ['٠٨٦ ١٢٣ ٤٥٩٩', [term('0861234599', '861234599')]],
    ['۰۸۶', [term('086')]],
    ['007', [term('007', '+7')]],
    ['012', [term('012')]],
  ])('of "%s" are its words and numbers', (search, terms) => {
    expect(searchTerms(search)).toEqual(terms);
  });

  it.each([
    ['1988-02-29', ['1988-02-29']],
    ['29.02.1988', ['1988-02-29']],
    ['2/29/1988', ['1988-02-29']],
    ['03/02/1988', ['1988-02-03', '1988-03-02']],
    ['04/04/1988', ['1988-04-04']],
  ])('of "%s" are its possible days', (search, days) => {
    expect(searchTerms(search)).toEqual([{ texts: [search], days }]);
  });

  it.each(['1988-02-30', '31.04.1988', '0000-01-01', '1988-13-13', '29.02.1987'])(
    'of "%s" contain no days',
    (search) => {
      expect(searchTerms(search).flatMap(({ days }) => days)).toEqual([]);
    },
  );
});
