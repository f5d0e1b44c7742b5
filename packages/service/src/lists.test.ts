import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { listQuery } from './lists.ts';

const options = { sort: ['name', 'createdAt'], defaultSort: '-createdAt', filters: { name: z.string() } };
const query = listQuery({ ...options, hasSearch: true });

describe('listQuery', () => {
  it('has a default for everything', () => {
    expect(query.parse({})).toMatchObject({
      page: 1,
      limit: 20,
      sort: [{ field: 'createdAt', descending: true }],
      includeDeleted: false,
      filters: {},
    });
  });

  it('accepts search for q, clamps the limit and ignores unknown parameters', () => {
    const parsed = query.parse({ search: ' jane ', limit: '500', name: 'Jane', colour: 'blue' });
    expect(parsed).toMatchObject({ q: 'jane', limit: 100, filters: { name: 'Jane' } });
    expect(parsed).not.toHaveProperty('colour');
  });

  it('knows no search of a list without one', () => {
    expect(listQuery(options).parse({ q: 'jane', search: 'x' })).toMatchObject({ q: undefined, byMatch: false });
    expect(Object.keys(listQuery(options).in.shape)).not.toContain('q');
  });

  it('reads several fields to sort by', () => {
    expect(query.parse({ sort: 'name, -createdAt' }).sort).toEqual([
      { field: 'name', descending: false },
      { field: 'createdAt', descending: true },
    ]);
  });

  it('sorts a search by match, unless an order is given', () => {
    expect(query.parse({ q: 'jane' }).byMatch).toBe(true);
    expect(query.parse({ q: 'jane', sort: 'name' }).byMatch).toBe(false);
    expect(query.parse({}).byMatch).toBe(false);
  });

  it('distinguishes a day from a moment', () => {
    expect(query.parse({ from: '2026-01-31', to: '2026-02-01T00:00:00+07:00' })).toMatchObject({
      from: { day: '2026-01-31' },
      to: { instant: '2026-01-31T17:00:00.000Z' },
    });
  });
});
