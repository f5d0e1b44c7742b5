/** Lists of patients: order, filters, search and pages. */
import { build } from '@hms/database';
import type { Patient } from '@hms/domain/patients';
import { matchTerms } from '@hms/service';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { create, doctor, hms, list, mary, PATIENTS } from './testing.ts';

describe('listing patients', () => {
  beforeEach(async () => {
    await create({ firstName: 'Émile', lastName: 'Zola', phone: '+33 1 23 45 67 89', email: 'E.Zola@example.org' });
    await create({ firstName: 'Ann', lastName: "O'Hara_100%", phone: '+628111111111', email: null });
    await create({ firstName: 'Bob', lastName: 'Zola', phone: '+628222222222', email: null });
  });

  it('returns the newest first, with the total', async () => {
    expect(await list('')).toEqual({ names: ['Bob', 'Ann', 'Émile'], total: 3 });
  });

  it.each([
    ['q=zola', ['Bob', 'Émile']],
    ['q=ZOLA%20ÉMILE', ['Émile']],
    ['search=hara', ['Ann']],
    // Short words match beginnings.
    ['q=zo', ['Bob', 'Émile']],
    ['q=ol', []],
    ['q=b%20z', ['Bob']],
    ['q=100%25', ['Ann']],
    ['q=a_1', ['Ann']],
    ['q=%25%25', []],
    ['q=hsp-000002', ['Ann']],
    ['q=%2B33%201%2023%2045', ['Émile']],
    ['q=', ['Bob', 'Ann', 'Émile']],
    ['firstName=Bob', ['Bob']],
    ['lastName=Zola&firstName=Ann', []],
    ['phone=%2B33-1-23456789', ['Émile']],
    // A plus sign that is not encoded is a space.
    ['phone=+33%201%2023456789', ['Émile']],
    ['phone=+(33)+1+23+45+67+89', ['Émile']],
    ['phone=tel:+33.1.23456789', ['Émile']],
    ['phone=00%2033%201%2023456789', ['Émile']],
    ['phone=0033123456789', ['Émile']],
    ['phone=%E2%80%AA%2B33%E2%80%91123456789%E2%80%AC', ['Émile']],
    ['q=+33%201%2023456789', ['Émile']],
    ['q=e.zola@EXAMPLE.org', ['Émile']],
    // With a mark that was pasted.
    ['q=Zo%E2%80%AEla', ['Bob', 'Émile']],
    ['email=e.zola@EXAMPLE.org', ['Émile']],
    ['patientCode=hsp-000003', ['Bob']],
    ['sort=firstName', ['Ann', 'Bob', 'Émile']],
    ['sort=-lastName,firstName', ['Bob', 'Émile', 'Ann']],
    ['from=2000-01-01', ['Bob', 'Ann', 'Émile']],
    ['to=2000-01-01T00:00:00Z', []],
    ['from=2000-01-01T00:00:00%2B23:59', ['Bob', 'Ann', 'Émile']],
    ['from=2000-01-01T00:00:00.123456789Z', ['Bob', 'Ann', 'Émile']],
    ['jwt=&colour=blue&page=1&limit=1000', ['Bob', 'Ann', 'Émile']],
  ])('finds by %s', async (query, names) => {
    expect(await list(query)).toEqual({ names, total: names.length });
  });

  it('filters by day of birth and by family', async () => {
    const { familyId } = await create({ firstName: 'Eve', dateOfBirth: '2000-02-29' });
    expect(await list('dateOfBirth=2000-02-29')).toEqual({ names: ['Eve'], total: 1 });
    expect(await list('dateOfBirth=2000-02-29T23:00:00-11:00')).toEqual({ names: ['Eve'], total: 1 });
    expect(await list(`familyId=${familyId?.toUpperCase()}`)).toEqual({ names: ['Eve'], total: 1 });
    expect(await list(`familyId=${mary.hospital.id}`)).toEqual({ names: [], total: 0 });
  });

  it.each([
    ['sort=phone', 'INVALID_SORT', 'sort'],
    ['sort=firstName;drop', 'INVALID_SORT', 'sort'],
    ['page=0', 'VALIDATION_FAILED', 'page'],
    ['limit=ten', 'VALIDATION_FAILED', 'limit'],
    ['limit=-1', 'VALIDATION_FAILED', 'limit'],
    ['page=99999999999', 'VALIDATION_FAILED', 'page'],
    ['page=1&page=2', 'VALIDATION_FAILED', 'page'],
    ['q=z', 'VALIDATION_FAILED', 'q'],
    ['q=zo%00la', 'VALIDATION_FAILED', 'q'],
    ['firstName=%00', 'VALIDATION_FAILED', 'firstName'],
    ['from=yesterday', 'VALIDATION_FAILED', 'from'],
    ['from=0000-01-01', 'VALIDATION_FAILED', 'from'],
    [`from=2026-01-01T00:00:00.${'1'.repeat(200)}Z`, 'VALIDATION_FAILED', 'from'],
    [`to=${'2'.repeat(5000)}`, 'VALIDATION_FAILED', 'to'],
    [`dateOfBirth=2000-01-01T00:00:00.${'1'.repeat(200)}Z`, 'VALIDATION_FAILED', 'dateOfBirth'],
    [`firstName=${'%CC%81'.repeat(500)}`, 'VALIDATION_FAILED', 'firstName'],
    ['to=0000-01-01T00:00:00Z', 'VALIDATION_FAILED', 'to'],
    ['dateOfBirth=x', 'VALIDATION_FAILED', 'dateOfBirth'],
    ['dateOfBirth=0000-01-01', 'VALIDATION_FAILED', 'dateOfBirth'],
    ['familyId=x', 'VALIDATION_FAILED', 'familyId'],
    ['lastName=%E9', 'VALIDATION_FAILED', 'lastName'],
  ])('refuses %s', async (query, code, field) => {
    const answer = await hms.send('GET', `${PATIENTS}?${query}`, { token: doctor });
    expect(answer).toMatchObject({ status: 400, error: { code, details: { fields: [{ field, in: 'query' }] } } });
  });

  it('finds people in any spelling of names and numbers, best matches first', async () => {
    const people: readonly (readonly [string, string, string, string])[] = [
      ['José', 'García', '+34600111222', '1970-01-02'],
      ['Joseph', 'Byrne', '+353851112223', '1971-02-03'],
      ['Sean', 'O’Connor', '+353861234599', '1988-02-29'],
      ['Lena', 'Groß', '+4915112345678', '1990-12-24'],
      ['Łukasz', 'Wójcik-Nowak', '+48601234567', '1985-06-07'],
      ['Ἀλέξανδρος', 'Παπαδόπουλος', '+306912345678', '1999-09-09'],
      ['أَحْمَد', 'المصرى', '+201001234567', '1960-03-04'],
      ['Nguyễn', 'Thị Hồng', '+84912345678', '2001-03-04'],
      ['Maria', 'Joseph-Josefsson', '+46701234567', '2002-02-02'],
    ];
    for (const [firstName, lastName, phone, dateOfBirth] of people) {
      await create({ firstName, lastName, phone, dateOfBirth });
    }
    const found: Readonly<Record<string, readonly string[]>> = {
      // A whole word, then the words that begin with it, the newest patient first.
      jose: ['José', 'Maria', 'Joseph'],
      "o'connor": ['Sean'],
      'O`CONNOR': ['Sean'],
      oconnor: ['Sean'],
      gross: ['Lena'],
      GROSS: ['Lena'],
      'lukasz wojcik': ['Łukasz'],
      'wojcik nowak': ['Łukasz'],
      αλεξανδρος: ['Ἀλέξανδρος'],
      ΠΑΠΑΔΟΠΟΥΛΟΣ: ['Ἀλέξανδρος'],
      'احمد المصري': ['أَحْمَد'],
      'nguyen thi hong': ['Nguyễn'],
      '086 123 4599': ['Sean'],
      '00353 86 123 4599': ['Sean'],
      '+353 (0)86 1234599': ['Sean'],
      '٠٨٦١٢٣٤٥٩٩': ['Sean'],
      '1988-02-29': ['Sean'],
      '29.02.1988': ['Sean'],
      'sean 29/2/1988': ['Sean'],
      '04/03/2001': ['Nguyễn'],
      '4 March 2001': ['Nguyễn'],
      'nguyen, Mar 4, 2001': ['Nguyễn'],
      '٢٩ فبراير ١٩٨٨': ['Sean'],
      '２': [],
    };
    const names: Record<string, readonly string[]> = {};
    for (const text of Object.keys(found)) {
      const answer = await hms.send('GET', `${PATIENTS}?q=${encodeURIComponent(text)}`, { token: doctor });
      names[text] = answer.status === 200 ? answer.data<Patient[]>().map(({ firstName }) => String(firstName)) : [];
    }
    expect(names).toEqual(found);
    // An explicit order takes precedence.
    expect((await list('q=jose&sort=-firstName')).names).toEqual(['Maria', 'Joseph', 'José']);
  });

  it('finds a name that was typed in another order or form, and one with a typing error', async () => {
    const people: readonly (readonly [string, string])[] = [
      ['Niamh', 'Brennan'],
      ['Zoe', 'Brenda'],
      ['Mary-Kate', 'Fitz-Gerald'],
      ['小明', '王'],
      ['عبد الرحمن', 'السيد'],
      ['عبدالله', 'أبو بكر'],
      ['Ewan', 'McDonald'],
      ['Flora', 'Mac Donald'],
      ['Paul', 'St. John'],
      ['Anne', 'Saint-Pierre'],
      ['Stephen', 'Johnson'],
      ['Heidi', 'Müller'],
      ['Uwe', 'Mueller'],
      ['Séamus', 'Ó Súilleabháin'],
    ];
    for (const [firstName, lastName] of people) await create({ firstName, lastName, email: null });
    const found: Readonly<Record<string, readonly string[]>> = {
      'Brennan, Niamh': ['Niamh'],
      'brennan niamh': ['Niamh'],
      brennanniamh: ['Niamh'],
      fitzgerald: ['Mary-Kate'],
      'fitz gerald': ['Mary-Kate'],
      'FitzGerald, MaryKate': ['Mary-Kate'],
      'mary‐kate': ['Mary-Kate'],
      王小明: ['小明'],
      小明王: ['小明'],
      '王 小明': ['小明'],
      عبدالرحمن: ['عبد الرحمن'],
      'عبد الله': ['عبدالله'],
      ابوبكر: ['عبدالله'],
      macdonald: ['Flora', 'Ewan'],
      McDonald: ['Ewan', 'Flora'],
      'mc donald': ['Flora', 'Ewan'],
      'saint john': ['Paul'],
      'st john': ['Paul', 'Stephen'],
      'St.Pierre': ['Anne'],
      stpierre: ['Anne'],
      muller: ['Heidi'],
      mueller: ['Uwe', 'Heidi'],
      Müller: ['Heidi', 'Uwe'],
      osuilleabhain: ['Séamus'],
      'o’suilleabhain': ['Séamus'],
      // One wrong letter, one too few, one too many, two swapped.
      Brenan: ['Niamh'],
      Brannan: ['Niamh'],
      Breennan: ['Niamh'],
      'Niahm Brennan': ['Niamh'],
      'Breman Zoe': [],
      // No letter of a number or of a short word is changed.
      'Zoo Brenda': [],
    };
    const names: Record<string, readonly string[]> = {};
    for (const text of Object.keys(found)) {
      const answer = await hms.send('GET', `${PATIENTS}?q=${encodeURIComponent(text)}`, { token: doctor });
      names[text] = answer.status === 200 ? answer.data<Patient[]>().map(({ firstName }) => String(firstName)) : [];
    }
    expect(names).toEqual(found);
  });

  it('uses the search index', async () => {
    const plan = await hms.platform.tenants.inTenant(mary.hospital, async (trx) => {
      await trx.query('SET LOCAL enable_seqscan = off');
      const rows = build.from('patients').select('id');
      matchTerms(rows, { text: 'patients.search', day: 'patients.date_of_birth' }, 'zola 086 123 4599');
      const { sql, bindings } = rows.toSQL().toNative();
      const lines = await trx.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, bindings);
      return lines.map((line) => line['QUERY PLAN']).join('\n');
    });
    expect(plan).toContain('patients_search');
    expect(plan).not.toContain('Seq Scan');
  });

  it('clamps the limit and returns it in meta', async () => {
    const answer = await hms.send('GET', `${PATIENTS}?limit=1000`, { token: doctor });
    expect(answer.meta).toEqual({ page: 1, limit: 100, total: 3 });
  });

  it('returns each patient on exactly one page, even with equal sort values', async () => {
    await Promise.all(Array.from({ length: 22 }, () => create({ lastName: 'Zola' })));
    const listed: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const answer = await hms.send('GET', `${PATIENTS}?sort=lastName&limit=7&page=${page}`, { token: doctor });
      expect(answer.meta).toEqual({ page, limit: 7, total: 25 });
      listed.push(...answer.data<Patient[]>().map(({ id }) => id));
    }
    expect(new Set(listed).size).toBe(25);
    expect(await list('page=5&limit=7')).toEqual({ names: [], total: 25 });
  });
});
