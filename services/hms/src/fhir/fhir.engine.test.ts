/** The FHIR facade: every resource, every parameter, paging, refusals and the audit log. */
import { poll } from '@hms/local';
import type { FhirAnswer } from '@hms/service/fhir/testing';
import { createTestHospital } from '@hms/service/testing';
import { describe, expect, it } from '@jest/globals';
import type { Bundle, DiagnosticReport, FhirResource, OperationOutcome } from 'fhir/r4.js';
import {
  admin,
  colleague,
  doctor,
  done,
  get,
  hms,
  item,
  mary,
  order,
  PATIENTS,
  patient,
  person,
  post,
  read,
  resultIds,
} from '../laboratory/testing.ts';
import { busy, created, fhir, found, ids, TYPES, tasksEnd, useBusyHospital, type WithId } from './testing.ts';

useBusyHospital();

const STATUSES: Readonly<Record<string, readonly string[]>> = {
  ServiceRequest: ['active', 'completed', 'revoked'],
  Observation: ['preliminary', 'final', 'corrected'],
  DiagnosticReport: ['registered', 'partial', 'preliminary', 'final', 'amended', 'cancelled'],
};

describe('what is served', () => {
  it('has each value as it was written, and says what became of it', async () => {
    const all = await found(`Observation?patient=${patient.id}`);
    const [first] = all.filter(({ id }) => id === item(busy.final).id);
    const others = all.filter(({ id }) => id !== first?.id);
    expect(first).toMatchObject({ id: item(busy.final).id, status: 'final', valueQuantity: { unit: 'mmol/L' } });
    expect((await fhir(`Observation/${first?.id}`)).text).toContain('"value":4.10');
    expect(others).toMatchObject([
      {
        status: 'preliminary',
        valueQuantity: { value: 4, comparator: '<' },
        note: [{ text: 'The value may be on either side of a limit.' }],
      },
      { valueCodeableConcept: { text: 'Group A' } },
      { valueString: 'No abnormal cells' },
    ]);
    const [report] = await found(`DiagnosticReport?identifier=${busy.final.orderNo}`);
    expect(report).toMatchObject({ status: 'final', result: [{ reference: `Observation/${item(busy.final).id}` }] });
  });

  it('has a rejected specimen without the test that waits for another one', async () => {
    const { body } = await fhir<FhirResource>(`Specimen/${busy.rejected.specimens[0]?.id}`);
    expect(body).toMatchObject({ status: 'unsatisfactory', note: [{ text: 'Clotted' }] });
    expect(body).not.toHaveProperty('request');
  });

  it('says how far the results of an order are verified, whatever else the order waits for', async () => {
    const placed = await order([busy.potassium, busy.smear]);
    const [potassium, smear] = [item(placed).id, item(placed, 'SMEAR').id];
    const states = async () => {
      const [report] = await found(`DiagnosticReport?_id=${placed.id}`);
      const requests = await found(`ServiceRequest?_id=${potassium},${smear}`);
      const results = await found(`Observation?_id=${potassium},${smear}`);
      // Each is found by the status that it shows, and by no other one.
      for (const one of [report, ...requests, ...results] as (FhirResource & { readonly status: string })[]) {
        const others = (STATUSES[one.resourceType] ?? []).filter((code) => code !== one.status);
        const at = `${one.resourceType}?_id=${one.id}&status=`;
        expect([one.status, await ids(`${at}${one.status}`)]).toEqual([one.status, [one.id]]);
        expect([others, await ids(`${at}${others}`)]).toEqual([others, []]);
      }
      const statusOf = (of: readonly FhirResource[], id: string) =>
        (of.find((one) => one.id === id) as { readonly status: string } | undefined)?.status;
      return [
        (report as DiagnosticReport).status,
        ...[statusOf(requests, potassium), statusOf(requests, smear)],
        ...[statusOf(results, potassium), statusOf(results, smear)],
      ].join(' ');
    };
    const enter = (itemId: string, value: string) => done(placed, 'results', { results: [{ itemId, value }] });
    const verify = async (itemId: string) => {
      const { items } = await read(placed);
      const resultId = items.find(({ id }) => id === itemId)?.result?.id;
      await done(placed, 'verify', { resultIds: [resultId] }, colleague);
      return resultId;
    };
    expect(await states()).toBe('registered active active  ');
    await done(placed, 'collect');
    await enter(potassium, '4.10');
    expect(await states()).toBe('partial active active preliminary ');
    expect((await fhir(`Observation/${potassium}`)).body).not.toHaveProperty('issued');
    expect((await fhir(`DiagnosticReport/${placed.id}`)).body).not.toHaveProperty('issued');
    const resultId = await verify(potassium);
    expect(await states()).toBe('preliminary completed active final ');
    const { issued } = (await fhir<DiagnosticReport>(`DiagnosticReport/${placed.id}`)).body;
    expect(await ids(`DiagnosticReport?_id=${placed.id}&issued=${encodeURIComponent(issued ?? '')}`)).toEqual([
      placed.id,
    ]);
    const tube = item(placed, 'SMEAR').specimenId;
    expect(await done(placed, 'reject-specimen', { specimenId: tube, reason: 'Clotted' })).toMatchObject({
      status: 'ordered',
    });
    expect(await states()).toBe('preliminary completed active final ');
    await done(placed, 'collect');
    await enter(smear, 'No abnormal cells');
    expect(await states()).toBe('preliminary completed active final preliminary');
    await verify(smear);
    expect(await states()).toBe('final completed completed final final');
    await done(placed, 'amend', { resultId, value: '4.2', reason: 'Other tube' });
    expect(await states()).toBe('preliminary active completed preliminary final');
    await verify(potassium);
    expect(await states()).toBe('amended completed completed corrected final');
    const cancelled = await done(await order([busy.potassium]), 'cancel', { reason: 'Not needed' }, doctor);
    expect(await found(`DiagnosticReport?_id=${cancelled.id}&status=cancelled`)).toMatchObject([
      { status: 'cancelled' },
    ]);
    expect(await found('ServiceRequest?status=revoked')).toMatchObject([{ id: item(cancelled).id }]);
  });

  it('keeps the id of a result that is amended, and shows no report of the former value', async () => {
    const { id } = item(busy.final);
    const report = async () => (await fhir<DiagnosticReport>(`DiagnosticReport/${busy.final.id}`)).body;
    const file = await poll(async () => (await report()).presentedForm?.[0], { timeout: 20_000 });
    expect(file).toMatchObject({ title: `${busy.final.orderNo}-1` });
    const [resultId] = resultIds(busy.final);
    const amended = await done(busy.final, 'amend', { resultId, value: '4.2', reason: 'Other tube' });
    expect((await fhir(`Observation/${id}`)).body).toMatchObject({ id, status: 'preliminary' });
    expect((await fhir(`Observation/${id}`)).body).not.toHaveProperty('issued');
    expect(await report()).toMatchObject({ status: 'partial' });
    expect(await report()).not.toHaveProperty('presentedForm');
    expect(await report()).not.toHaveProperty('issued');
    expect((await fhir(`ServiceRequest/${id}`)).body).toMatchObject({ status: 'active' });
    await done(busy.final, 'verify', { resultIds: resultIds(amended) }, colleague);
    expect((await fhir(`Observation/${id}`)).body).toMatchObject({ id, status: 'corrected' });
    expect(await report()).toMatchObject({ status: 'amended', issued: expect.any(String) });
    expect((await fhir(`ServiceRequest/${id}`)).body).toMatchObject({ status: 'completed' });
  });

  it('names the batch of what was dispensed, and how it is taken', async () => {
    expect(await found(`MedicationDispense?patient=${busy.other.id}`)).toMatchObject([
      {
        contained: [{ batch: { lotNumber: 'B-1', expirationDate: '2099-12-31' } }],
        quantity: { value: 11 },
        authorizingPrescription: [{ reference: `MedicationRequest/${busy.prescription.items[0]?.id}` }],
      },
    ]);
    expect(await found(`MedicationRequest?patient=Patient/${busy.other.id}`)).toMatchObject([
      {
        status: 'completed',
        dosageInstruction: [
          { timing: { repeat: { frequency: 3, period: 1, periodUnit: 'd' } }, patientInstruction: 'After meals' },
        ],
      },
    ]);
  });

  it('is found by either patient after a merge, and says whose it was', async () => {
    await post(`${PATIENTS}/${busy.other.id}/merge`, { intoId: patient.id }, admin);
    const [request] = await found(`MedicationRequest?patient=${patient.id}`);
    expect(request).toMatchObject({ subject: { reference: `Patient/${busy.other.id}` } });
    expect((await fhir(`Patient/${busy.other.id}`)).body).toMatchObject({
      active: false,
      link: [{ type: 'replaced-by', other: { reference: `Patient/${patient.id}` } }],
    });
  });
});

describe('a search', () => {
  const FINDING = [
    'identifier=HSP-000002',
    'identifier=hsp-000002',
    'name=jos',
    'name=jose o’con',
    'name=oconnor',
    'phone=%2B353861234567',
    'phone=+353 86 123 4567',
    'birthdate=2000-02-29',
    'birthdate=2000-02',
    'birthdate=2000',
    'birthdate=ge2000&birthdate=lt2001',
    'birthdate=1999-01-01,2000-02-29',
    'birthdate=gt1990-05-17',
    'birthdate=sa1990-05-17',
    'birthdate=ne1990-05-17',
    'birthdate=2000-02-29T12:00:00Z',
    'name=jane,jose&birthdate=2000',
    'unknown=is ignored&name=jose',
  ];
  const FINDING_NOBODY = [
    'name=onnor',
    'name=hsp',
    'identifier=HSP-00000',
    'identifier=https://example.org|HSP-000002',
    'birthdate=lt1990-05-17',
    'birthdate=eb1990-05-17',
    'phone=+353861234568',
  ];

  it('by any parameter finds the patient, or nobody', async () => {
    for (const query of FINDING) expect([query, await ids(`Patient?${query}`)]).toEqual([query, [busy.other.id]]);
    for (const query of FINDING_NOBODY) expect([query, await ids(`Patient?${query}`)]).toEqual([query, []]);
  });

  it('finds by an id, by a system, by a moment of change', async () => {
    const { hospital } = mary;
    const { body } = await fhir<FhirResource>(`Patient/${busy.other.id}`);
    const changed = encodeURIComponent(body.meta?.lastUpdated ?? '');
    expect(await ids(`Patient?_id=${busy.other.id},${patient.id}`)).toHaveLength(2);
    expect(await ids(`Patient?identifier=https://hms.dev/hospitals/${hospital.id}/patient-code|HSP-000002`)).toEqual([
      busy.other.id,
    ]);
    expect(await ids(`Patient?_lastUpdated=ge${changed}`)).toEqual([busy.other.id]);
    expect(await ids(`Patient?_lastUpdated=gt${changed}`)).toEqual([]);
  });

  it('finds records by their numbers, codes and dates', async () => {
    const { final, entered, rejected, prescription, dispense } = busy;
    const accession = final.specimens[0]?.accessionNo;
    const today = '2000-01-01';
    expect(await ids(`ServiceRequest?identifier=${final.orderNo}`)).toEqual([item(final).id]);
    expect(await ids(`ServiceRequest?requisition=${entered.orderNo}`)).toHaveLength(3);
    expect(await ids(`ServiceRequest?authored=ge${today}&code=smear`)).toHaveLength(2);
    expect(await ids(`Specimen?accession=${accession}`)).toEqual([final.specimens[0]?.id]);
    expect((await ids('Observation?code=http://loinc.org|2823-3')).toSorted()).toEqual([
      item(final).id,
      item(entered).id,
    ]);
    expect(await ids(`Observation?date=lt${today}`)).toEqual([]);
    expect(await ids(`Observation?patient=${patient.id}&code=ABO,SMEAR`)).toHaveLength(2);
    expect(await ids(`DiagnosticReport?patient=${patient.id}`)).toEqual(
      expect.arrayContaining([final.id, entered.id, rejected.id]),
    );
    expect(await ids('MedicationRequest?identifier=RX-000001')).toEqual([prescription.items[0]?.id]);
    expect(await ids('MedicationDispense?identifier=DSP-000001')).toEqual([dispense.lines[0]?.id]);
    expect(await ids(`MedicationDispense?whenhandedover=lt${today}`)).toEqual([]);
  });

  it('by a status finds what shows it, and nothing else', async () => {
    const { entered, final, rejected, prescription, dispense } = busy;
    const [tube] = rejected.specimens;
    const finding = {
      'Specimen?status=unsatisfactory': tube?.id,
      'Specimen?status=http://hl7.org/fhir/specimen-status|unsatisfactory': tube?.id,
      'MedicationRequest?status=completed,active': prescription.items[0]?.id,
      'MedicationDispense?status=completed': dispense.lines[0]?.id,
      'DiagnosticReport?status=final,amended,corrected': final.id,
      'DiagnosticReport?status=partial': entered.id,
      'Observation?status=final': item(final).id,
    };
    for (const [query, id] of Object.entries(finding)) expect([query, await ids(query)]).toEqual([query, [id]]);
    const findingNothing = [
      'Specimen?status=http://wrong|unsatisfactory',
      'MedicationRequest?status=active,stopped,cancelled,entered-in-error',
      'MedicationDispense?status=declined',
    ];
    for (const query of findingNothing) expect([query, await ids(query)]).toEqual([query, []]);
    const { link } = (await fhir('Observation?status=final&unknown=1')).body;
    expect(link?.[0]?.url).toMatch(/\/Observation\?status=final$/);
    const served = ['ServiceRequest', 'Specimen', 'Observation', 'DiagnosticReport', 'MedicationRequest'];
    for (const type of [...served, 'MedicationDispense']) {
      const { status, body } = await fhir<OperationOutcome>(`${type}?status=nonsense`);
      expect([type, status, body.issue[0]?.expression]).toEqual([type, 400, ['http.status']]);
      expect(body.issue[0]?.diagnostics).toMatch(/^status must be one of .*entered-in-error/);
    }
  });

  it('follows a status of a prescription', async () => {
    const placed = await created<WithId & { readonly items: readonly WithId[] }>(
      '/api/hms/prescriptions',
      { patientId: patient.id, items: [{ drugId: busy.drug.id, dose: 1, timesPerDay: 1, durationDays: 5 }] },
      doctor,
    );
    const [only] = placed.items;
    expect(await ids('MedicationRequest?status=active')).toEqual([only?.id]);
    const cancel = await post(`/api/hms/prescriptions/${placed.id}/cancel`, { reason: 'Allergic' }, doctor);
    expect(cancel.status).toBe(200);
    expect(await ids('MedicationRequest?status=active')).toEqual([]);
    expect(await found('MedicationRequest?status=cancelled')).toMatchObject([{ id: only?.id, status: 'cancelled' }]);
  });

  it('by a code finds it with the system that the resource has, or without', async () => {
    const { entered, final, drug, dispense, prescription } = busy;
    const own = `https://hms.dev/hospitals/${mary.hospital.id}`;
    const both = [item(final).id, item(entered).id].toSorted();
    for (const code of ['K', `${own}/lab-test|K`, 'http://loinc.org|2823-3'])
      expect([code, (await ids(`Observation?code=${code}`)).toSorted()]).toEqual([code, both]);
    for (const code of ['http://wrong|K', '|K', 'http://loinc.org|K', `${own}/drug|K`])
      expect([code, await ids(`Observation?code=${code}`)]).toEqual([code, []]);
    expect(await ids('DiagnosticReport?code=http://loinc.org|11502-2')).toHaveLength(3);
    for (const code of ['http://wrong|11502-2', 'K']) expect(await ids(`DiagnosticReport?code=${code}`)).toEqual([]);
    for (const code of [drug.id, `${own}/drug|${drug.id}`]) {
      expect(await ids(`MedicationRequest?code=${code}`)).toEqual([prescription.items[0]?.id]);
      expect(await ids(`MedicationDispense?code=${code}`)).toEqual([dispense.lines[0]?.id]);
    }
    for (const code of ['AMOX', `http://wrong|${drug.id}`]) {
      expect(await ids(`MedicationRequest?code=${code}`)).toEqual([]);
      expect(await ids(`MedicationDispense?code=${code}`)).toEqual([]);
    }
  });

  it('by the request finds its result and the report of its order', async () => {
    const { entered, final } = busy;
    const requests = `ServiceRequest/${item(entered).id},${item(final).id}`;
    expect(await ids(`Observation?based-on=${item(final).id}`)).toEqual([item(final).id]);
    expect(await ids(`Observation?based-on=${requests}`)).toHaveLength(2);
    expect(await ids(`DiagnosticReport?based-on=ServiceRequest/${item(entered, 'ABO').id}`)).toEqual([entered.id]);
    expect((await ids(`DiagnosticReport?based-on=${requests}`)).toSorted()).toEqual([entered.id, final.id].toSorted());
    for (const type of ['Observation', 'DiagnosticReport'])
      expect([type, await ids(`${type}?based-on=${final.id}`)]).toEqual([type, []]);
  });

  it('with _count=0 has the number of what it finds, and nothing of it', async () => {
    for (const type of TYPES) {
      const total = (await ids(type)).length;
      const { body } = await fhir(`${type}?_count=0`);
      expect([type, body.total, body.entry, body.link]).toEqual([
        type,
        total,
        undefined,
        [{ relation: 'self', url: expect.stringMatching(new RegExp(`/${type}\\?_count=0$`)) }],
      ]);
    }
    expect((await fhir(`Observation?_count=0&code=K&status=final`)).body.total).toBe(1);
  });

  it('finds people who work here', async () => {
    const [ada] = await ids('Practitioner?name=ada');
    expect(await ids('Practitioner?phone=00353 86 1112223&name=by')).toHaveLength(2);
    expect((await fhir(`Practitioner/${ada}`)).body).toMatchObject({ name: [{ given: ['Ada'] }], active: true });
  });

  it('finds the hospital, its departments, clinics and rooms', async () => {
    const { clinic, department, room } = busy;
    expect(await ids('Organization')).toEqual([mary.hospital.id, department.id]);
    expect(await ids('Organization?name=labo')).toEqual([department.id]);
    expect(await ids('Location')).toEqual([clinic.id, room.id]);
    expect(await ids('Location?identifier=ent-1')).toEqual([room.id]);
    expect((await fhir(`Organization/${mary.hospital.id}`)).body).toMatchObject({ name: mary.hospital.displayName });
  });

  it('has each resource on exactly one page, in both directions', async () => {
    // A task that writes a report meanwhile would move its order to another page.
    expect(await poll(tasksEnd, { timeout: 20_000 })).toBe(true);
    for (const type of TYPES) {
      const all = await ids(type);
      for (const sort of ['_lastUpdated', '-_lastUpdated']) {
        const paged: (string | undefined)[] = [];
        for (let at: string | undefined = `${type}?_count=1&_sort=${sort}`; at; ) {
          const { body }: FhirAnswer<Bundle<FhirResource>> = await fhir(at);
          expect(body.entry).toHaveLength(1);
          paged.push(...(body.entry ?? []).map(({ resource }) => resource?.id));
          at = body.link?.find(({ relation }) => relation === 'next')?.url;
        }
        expect(paged.toSorted()).toEqual(all.toSorted());
      }
    }
  });

  it('goes on after what was changed meanwhile, and shows it again at the end', async () => {
    const { body } = await fhir('Patient?_count=1');
    await hms.send('PUT', `${PATIENTS}/${patient.id}`, { token: doctor, body: { firstName: 'Janet' } });
    const next = body.link?.find(({ relation }) => relation === 'next')?.url ?? '';
    expect(next).toMatch(/^http:\/\/[^/]+\/api\/hms\/fhir\/R4\/Patient\?_count=1&_after=/);
    const rest = await ids(next.replace('_count=1', '_count=9'));
    expect(rest).toEqual([busy.other.id, patient.id]);
  });

  const REFUSED = [
    ['birthdate=yesterday', 'birthdate must be a date'],
    ['birthdate=2001-02-29', 'birthdate must be a date'],
    ['birthdate=ap2001', 'birthdate must be a date'],
    ['_lastUpdated=0001-01-01T00:00:00%2B14:00', '_lastUpdated must be a date'],
    ['phone=12', 'phone must be a number with its country code'],
    ['_id=1', '_id must be a UUID'],
    ['_count=-1', '_count must be a whole number'],
    ['_sort=name', '_sort must be one of _lastUpdated, -_lastUpdated'],
    ['_after=x', '_after must be that of a link to the next page'],
    ['name:exact=Jane', 'name:exact has a modifier or a chain'],
    [`name=${'a,'.repeat(60)}`, 'name must'],
    [`name=${'a'.repeat(101)}`, 'name must have at most 100 characters'],
  ] as const;

  it('that is wrong is refused and says why', async () => {
    for (const [query, diagnostics] of REFUSED) {
      const { status, type, body } = await fhir<OperationOutcome>(`Patient?${query}`);
      expect([query, status, type]).toEqual([query, 400, 'application/fhir+json']);
      expect(body).toMatchObject({
        resourceType: 'OperationOutcome',
        issue: expect.arrayContaining([
          expect.objectContaining({ severity: 'error', diagnostics: expect.stringContaining(diagnostics) }),
        ]),
      });
    }
  });
});

describe('what the server does not have', () => {
  it('is refused in the format of FHIR', async () => {
    const { id } = item(busy.final);
    const answers = [
      ...['', '/', '/Medication', '/Encounter/1', `/Observation/${id}/_history`, `/Observation/${id}/nothing/more`].map(
        (path) => ['GET', path, 404, 'not-found'] as const,
      ),
      ...['POST', 'PUT', 'DELETE'].map((method) => [method, `/Observation/${id}`, 405, 'not-supported'] as const),
      ['POST', '/Patient', 405, 'not-supported'],
      ['POST', '/Patient/_search', 405, 'not-supported'],
      ['POST', '', 404, 'not-found'],
      ['GET', '/Patient/%zz', 400, 'value'],
    ] as const;
    for (const [method, path, status, code] of answers) {
      const answer = await fetch(`${hms.url}/api/hms/fhir/R4${path}`, {
        method,
        headers: { Authorization: `Bearer ${doctor}` },
      });
      const body = (await answer.json()) as OperationOutcome;
      expect([method, path, answer.status, answer.headers.get('content-type'), body.issue?.[0]?.code]).toEqual([
        ...[method, path, status, 'application/fhir+json', code],
      ]);
    }
    const beside = await fetch(`${hms.url}/api/hms/fhir/R4x`, { headers: { Authorization: `Bearer ${doctor}` } });
    expect([beside.status, beside.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  });
});

describe('somebody', () => {
  it('of another hospital finds nothing, by an id neither', async () => {
    const other = await createTestHospital(hms.operator, hms.issuer);
    const token = await other.token(['DOCTOR']);
    for (const type of TYPES.filter((one) => one !== 'Organization')) expect(await found(type, token)).toEqual([]);
    const answer = await fhir<OperationOutcome>(`Patient/${patient.id}`, token);
    expect(answer).toMatchObject({ status: 404, body: { issue: [{ code: 'not-found' }] } });
    expect(await found(`Observation?patient=${patient.id}`, token)).toEqual([]);
  });

  it('without the permission is refused in the format of FHIR', async () => {
    const display = await person('DISPLAY');
    expect(await fhir<OperationOutcome>('Patient', display)).toMatchObject({
      status: 403,
      type: 'application/fhir+json',
      body: { issue: [{ code: 'forbidden', details: { text: 'FORBIDDEN' } }] },
    });
  });

  it('who reads or finds something of a patient is in the log of the patient', async () => {
    const { id } = item(busy.final);
    const reader = '0198a5a0-0000-7000-8000-00000000c0de';
    const token = await person('NURSE', reader);
    await fhir(`Observation/${id}`, token);
    await fhir(`DiagnosticReport?patient=${patient.id}`, token);
    const log = (await get(`${PATIENTS}/${patient.id}/access`, admin)).data<
      readonly { readonly actor: string; readonly action: string; readonly record: string }[]
    >();
    expect(log.filter(({ actor }) => actor === reader)).toMatchObject([
      { action: 'list', record: 'patients', details: { reason: 'FHIR DiagnosticReport' } },
      { action: 'read', record: 'lab_orders' },
    ]);
  });

  it('finds no deleted patient', async () => {
    const body = { firstName: 'Gone', lastName: 'Away', phone: '+353861112222', dateOfBirth: '1980-01-01' };
    const gone = await created<WithId>(PATIENTS, body, doctor);
    expect((await hms.send('DELETE', `${PATIENTS}/${gone.id}`, { token: admin })).status).toBe(200);
    expect(await ids('Patient?name=gone')).toEqual([]);
    expect((await fhir(`Patient/${gone.id}`)).status).toBe(404);
  });
});
