/** What clients get who ask for reports: forms, refusals, files, and the end of a statement for which nobody waits. */
import { openTenantPool } from '@hms/database';
import { newId } from '@hms/service';
import { createTestHospital, type TestHospital, type TestModule } from '@hms/service/testing';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { platform } from '../../../test/platform.ts';
import type { Figures, Listed } from './figures.ts';
import { reportNamed } from './reports/reports.ts';
import { reportSheet } from './sheet.ts';
import { addPasses, startReports } from './testing/hospital.ts';

let module: TestModule;
let mary: TestHospital;
let token: string;

beforeAll(async () => {
  module = await startReports();
});
afterAll(() => module.close());
beforeEach(async () => {
  mary = await createTestHospital(module.operator, module.issuer);
  token = await mary.token(['OWNER']);
});

const call = (path: string, as = token) => module.send('GET', `/api/report/${path}`, { token: as });
const codeOf = async (path: string, as = token) => {
  const { status, error } = await call(path, as);
  return [status, error?.code];
};
const file = async (path: string) => {
  const answer = await fetch(`${module.url}/api/report/${path}`, { headers: { Authorization: `Bearer ${token}` } });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};

describe('a request', () => {
  it('is refused with the name of what is wrong', async () => {
    expect(await codeOf('revenue?from=2025-01-01&to=2026-01-03')).toMatchObject([422, 'RANGE_TOO_WIDE']);
    expect(await codeOf('revenue?from=2026-01-02&to=2026-01-02')).toMatchObject([400, 'VALIDATION_FAILED']);
    expect(await codeOf('revenue?from=yesterday')).toMatchObject([400, 'VALIDATION_FAILED']);
    expect((await call('revenue?groupBy=clinic')).error.message).toContain('groupBy must be one of day, week, month');
    expect(await codeOf('revenue?groupBy=day,day')).toMatchObject([400, 'VALIDATION_FAILED']);
    expect(await codeOf('revenue?format=xml')).toEqual([406, 'FORMAT_NOT_SUPPORTED']);
    expect(await codeOf('revenue/records?measure=profit')).toMatchObject([400, 'VALIDATION_FAILED']);
    expect(await codeOf('dashboards/nobody')).toMatchObject([404, 'DASHBOARD_NOT_FOUND']);
    for (const path of ['collections?mehtod=CASH', 'collections/records?mehtod=CASH'])
      expect((await call(path)).error.message).toContain(
        'mehtod is no parameter of this report: use weekday, hour, method, shift, cashier',
      );
    for (const day of ['from=0001-01-01', 'to=0001-01-01', 'from=9999-12-31', 'to=9999-12-31'])
      expect(await codeOf(`slot-use?${day}`)).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('is answered after many that wanted no body', async () => {
    for (let n = 0; n < 5; n++) {
      const answer = await fetch(`${module.url}/api/report/visitors/records?format=csv`, {
        method: 'HEAD',
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(answer.status).toBe(200);
    }
    expect((await call('visitors')).status).toBe(200);
  });

  it('gets the address of the list behind its total, with all that it counts only', async () => {
    const { total } = (
      await call(`collections?from=2026-01-01&to=2026-01-03&groupBy=method&method=CASH`)
    ).data<Figures>();
    expect(total.records).toBe('/api/report/collections/records?from=2026-01-01&to=2026-01-03&method=CASH');
  });

  it('gets what the caller may see only', async () => {
    const names = async (role: string) => {
      const { reports, dashboards } = (await call('reports', await mary.token([role]))).data<{
        readonly reports: readonly { readonly name: string }[];
        readonly dashboards: readonly { readonly name: string }[];
      }>();
      return [reports.length, dashboards.map(({ name }) => name)];
    };
    expect(await names('OWNER')).toEqual([15, ['owner', 'accountant', 'doctor', 'pharmacy', 'front-desk']]);
    expect(await names('ACCOUNTANT')).toEqual([5, ['accountant']]);
    expect(await names('DOCTOR')).toEqual([5, ['doctor']]);
    expect(await names('PHARMACIST')).toEqual([1, ['pharmacy']]);
    expect(await names('RECEPTION')).toEqual([4, ['front-desk']]);
    expect(await codeOf('dashboards/owner', await mary.token(['ACCOUNTANT']))).toEqual([404, 'DASHBOARD_NOT_FOUND']);
    for (const name of ['owner', 'accountant', 'doctor', 'pharmacy', 'front-desk'])
      expect([name, (await call(`dashboards/${name}`)).status]).toEqual([name, 200]);
  });

  it('never gets facts of another hospital', async () => {
    await addPasses(module, mary, 'Jo');
    const other = await createTestHospital(module.operator, module.issuer);
    const theirs = (await call('visitors', await other.token(['OWNER']))).data<Figures>();
    expect([theirs.total.values.passes, (await call('visitors')).data<Figures>().total.values.passes]).toEqual([0, 1]);
  });

  it('gets what its filters are called, also of what nothing happened to', async () => {
    const clinicId = newId();
    await module.platform.tenants.inTenant(mary.hospital, (trx) =>
      trx.query(
        `INSERT INTO clinics (id, code, name, created_by, updated_by) VALUES ($1, 'EYE', 'Eyes', 'test', 'test')`,
        [clinicId],
      ),
    );
    const keys = `weekday=1&clinic=${clinicId}&visitType=none&doctor=nobody`;
    const figures = (await call(`no-show?${keys}`)).data<Figures>();
    expect(figures.filters).toEqual([
      { group: 'weekday', key: '1', label: null },
      { group: 'clinic', key: clinicId, label: 'Eyes' },
      { group: 'doctor', key: 'nobody', label: null },
      { group: 'visitType', key: null, label: null },
    ]);
    // So does paper.
    expect(reportSheet(reportNamed('no-show'), figures, mary.hospital, 'en', new Date()).facts.slice(-4)).toEqual([
      ...[
        ['Day of the week', 'Monday'],
        ['Clinic', 'Eyes'],
        ['Doctor', 'nobody'],
        ['Type of visit', 'None'],
      ],
    ]);
  });

  it('finds facts without a key as those of none', async () => {
    await addPasses(module, mary, 'Jo', 'Al');
    await module.platform.tenants.inTenant(mary.hospital, (trx) =>
      trx.query(`UPDATE visitors SET place = 'none' WHERE name = 'Al'`),
    );
    const { groups } = (await call('visitors?groupBy=place')).data<Figures>();
    expect(groups).toMatchObject([{ keys: [null], labels: [null], values: { passes: 2 } }]);
    const list = await module.send('GET', groups[0]?.records ?? '', { token });
    expect(
      list
        .data<Listed>()
        .records.map(({ values }) => values.visitor)
        .sort(),
    ).toEqual(['Al', 'Jo']);
  });
});

describe('a file', () => {
  it('of a list has no formulas, and a mark of its bytes if it is asked for', async () => {
    await addPasses(module, mary, '=HYPERLINK("http://evil")', 'O’Neil, "Jo"');
    const { headers, bytes } = await file('visitors/records?format=csv&bom=true');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="visitors-\d{4}-\d\d-\d\d-.*\.csv"$/);
    const text = bytes.toString();
    expect(text.startsWith('\uFEFFat,passNo,visitor,patientCode,patientName,minutes\r\n')).toBe(true);
    expect(text).toContain(`"'=HYPERLINK(""http://evil"")"`);
    expect(text).toContain('"O’Neil, ""Jo"""');
    expect((await file('visitors/records?format=csv&from=2020-01-01&to=2020-01-02')).bytes.toString()).toBe(
      'at,passNo,visitor,patientCode,patientName,minutes\r\n',
    );
  });

  it('of figures has the amounts in the currency, with those before', async () => {
    const { bytes } = await file('revenue?format=csv&groupBy=month&from=2026-01-01&to=2026-03-01');
    expect(bytes.toString().split('\r\n')).toEqual([
      'month,total,net,tax,discount,invoices,voids,credits,previous.total,previous.net,previous.tax,previous.discount,previous.invoices,previous.voids,previous.credits',
      '2026-01-01,0,0,0,0,0,0,0,0,0,0,0,0,0,0',
      '2026-02-01,0,0,0,0,0,0,0,0,0,0,0,0,0,0',
      '',
    ]);
  });

  it('is a workbook', async () => {
    const { headers, bytes } = await file('visitors?format=xlsx&language=ar');
    expect(headers.get('content-type')).toContain('spreadsheetml.sheet');
    expect(bytes.subarray(0, 2).toString()).toBe('PK');
  });
});

it('prints figures with a chart, in both languages', async () => {
  for (const language of ['en', 'ar']) {
    const { headers, bytes } = await file(`visitors?format=pdf&language=${language}`);
    expect([headers.get('content-type'), bytes.subarray(0, 5).toString()]).toEqual(['application/pdf', '%PDF-']);
  }
}, 60_000);

it('notes in the audit log who has seen whom', async () => {
  const patientId = await addPasses(module, mary, 'Jo');
  await call('visitors/records?measure=passes');
  const [event] = await module.platform.tenants.inTenant(mary.hospital, (trx) =>
    trx.query<{ details: object }>(`SELECT details FROM audit_events WHERE record = 'reports'`),
  );
  expect(event?.details).toMatchObject({ report: 'visitors', measure: 'passes', ids: [patientId] });
});

it('ends the statement within a second when the client leaves', async () => {
  const { schema } = hospitalNames(mary.hospital.prefix);
  const running = async () => {
    const waits = `SELECT 1 FROM pg_locks WHERE relation = '${schema}.visitors'::regclass AND NOT granted`;
    return (await module.operator.raw<{ rows: readonly object[] }>(waits)).rows.length > 0;
  };
  const until = async (wanted: boolean, ms: number) => {
    const end = Date.now() + ms;
    while ((await running()) !== wanted) if (Date.now() > end) throw new Error(`still ${wanted ? 'not ' : ''}running`);
  };
  await module.operator.transaction(async (trx) => {
    // The report waits for the lock, so that it certainly runs when the client leaves.
    await trx.raw(`LOCK TABLE ${schema}.visitors IN ACCESS EXCLUSIVE MODE`);
    for (const path of ['visitors', 'visitors/records?format=csv']) {
      const leaving = new AbortController();
      const asked = fetch(`${module.url}/api/report/${path}`, {
        headers: { Authorization: `Bearer ${token}` },
        signal: leaving.signal,
      });
      await until(true, 5_000);
      leaving.abort();
      await expect(asked).rejects.toThrow();
      await until(false, 1_000);
    }
  });
  expect((await call('visitors')).status).toBe(200);
});

it('says so when PostgreSQL takes longer than reports may take', async () => {
  const replica = openTenantPool(platform().databaseUrls.app, { readOnly: true, statementTimeoutMs: 200 });
  const impatient = await startReports({ replica });
  try {
    const own = await createTestHospital(impatient.operator, impatient.issuer);
    const request = { token: await own.token(['OWNER']) };
    const { schema } = hospitalNames(own.hospital.prefix);
    await impatient.operator.transaction(async (trx) => {
      await trx.raw(`LOCK TABLE ${schema}.visitors IN ACCESS EXCLUSIVE MODE`);
      for (const path of ['visitors', 'visitors/records?format=csv'])
        expect(await impatient.send('GET', `/api/report/${path}`, request)).toMatchObject({
          status: 503,
          error: { code: 'REPORT_TOO_SLOW', message: expect.stringContaining('choose fewer days') },
        });
    });
  } finally {
    await Promise.all([impatient.close(), replica.end()]);
  }
});
