import { describe, expect, it } from '@jest/globals';
import { searchTerms } from './search.ts';

/** The texts of each term. */
const textsOf = (search: string) => searchTerms(search).map(({ spellings }) => spellings.map(({ text }) => text));
const daysOf = (search: string) => searchTerms(search).flatMap(({ days }) => days);

describe('searchTerms', () => {
  it.each([
    ['Jane  Doe', [['Jane'], ['Doe']]],
    ['Doe, Jane', [['Doe'], ['Jane']]],
    ['王,小明', [['王'], ['小明']]],
    ['“Jane” (Doe)', [['Jane'], ['Doe']]],
    ['J. Doe', [['J'], ['Doe']]],
    ['HSP-000123', [['HSP-000123']]],
    ['Jane 812', [['Jane'], ['812']]],
    ['+353 86 123-4599', [['+353861234599']]],
    ['+353 (0)86 123 4599', [['+353861234599']]],
    ['00353 86 123 4599', [['00353861234599', '+353861234599']]],
    ['086 123 4599', [['0861234599', '861234599']]],
    ['nora (086) 123.4599 quinn', [['nora'], ['0861234599', '861234599'], ['quinn']]],
    ['086–123—4599', [['0861234599', '861234599']]],
    ['０８６ １２３ ４５９９', [['0861234599', '861234599']]],
    ['٠٨٦ ١٢٣ ٤٥٩٩', [['0861234599', '861234599']]],
    ['০৮৬১২৩৪৫৯৯', [['0861234599', '861234599']]],
    ['۰۸۶', [['086']]],
    ['007', [['007', '+7']]],
    ['012', [['012']]],
    ['0.5', [['05', '0.5']]],
    ['Jane - Doe', [['Jane'], ['Doe']]],
    ["-- () '' …", []],
  ])('of "%s" are its words and numbers', (search, texts) => {
    expect(textsOf(search)).toEqual(texts);
  });

  it.each([
    ['MacDonald', ['MacDonald', 'mcdonald']],
    ['mc', ['mc', 'mac']],
    ['St.', ['St', 'saint', 'sankt']],
    ['Sainte', ['Sainte', 'ste']],
    ['Mueller', ['Mueller', 'muller']],
    ['Müller', ['Müller', 'mueller']],
    ['Østergård', ['Østergård', 'oestergaard']],
    ['Jane', ['Jane']],
  ])('of %s have its other spellings', (search, texts) => {
    expect(textsOf(search)).toEqual([texts]);
  });

  it.each([
    ['1988-02-29', ['1988-02-29']],
    ['29.02.1988', ['1988-02-29']],
    ['2/29/1988', ['1988-02-29']],
    ['03/02/1988', ['1988-02-03', '1988-03-02']],
    ['04/04/1988', ['1988-04-04']],
    ['29/2/88', ['1988-02-29']],
    ['1/1/00', ['2000-01-01']],
    ['29021988', ['1988-02-29']],
    ['19880229', ['1988-02-29']],
    ['29 02 1988', ['1988-02-29']],
    ['٢٩/٢/١٩٨٨', ['1988-02-29']],
    ['9 May 1974', ['1974-05-09']],
    ['9th of May, 1974', ['1974-05-09']],
    ['09-MAY-1974', ['1974-05-09']],
    ['May 9, 1974', ['1974-05-09']],
    ['1974 May 9', ['1974-05-09']],
    ['1 Sept. 2001', ['2001-09-01']],
    ['٩ مايو ١٩٧٤', ['1974-05-09']],
    ['9 أيار 1974', ['1974-05-09']],
    ['9 de mayo de 1974', ['1974-05-09']],
    ['9. März 1974', ['1974-03-09']],
    ['9 мая 1974 г.', ['1974-05-09']],
    ['1974年5月9日', ['1974-05-09']],
    ['sean 9 May 1974', ['1974-05-09']],
  ])('of "%s" are its possible days', (search, days) => {
    expect(daysOf(search)).toEqual(days);
  });

  it.each([
    ...['1988-02-30', '31.04.1988', '0000-01-01', '1988-13-13', '29.02.1987', '30 February 1988', '9 Maybe 1974'],
    ...['May 9', '86123459'],
  ])('of "%s" contain no days', (search) => {
    expect(daysOf(search)).toEqual([]);
  });

  it('leave nothing of a day with the name of its month', () => {
    expect(textsOf('Sean, 9 May 1974')).toEqual([[], ['Sean']]);
  });
});
