/** One search over several kinds of records: what each kind's own list finds, and only for those who may see it. */
import { describe, expect, it } from '@jest/globals';
import { hms, mary, ORDERS, POTASSIUM, patient, person, TESTS, useLaboratory } from '../laboratory/testing.ts';

useLaboratory();

interface Found {
  readonly items: readonly { readonly id: string }[];
  readonly total: number;
}
type Everything = Readonly<Record<'patients' | 'labOrders' | 'prescriptions' | 'employees', Found | null>>;

const search = async (q: string, token: string) =>
  hms.send('GET', `/api/hms/search?q=${encodeURIComponent(q)}`, { token });

describe('a search', () => {
  it('finds what the list of each kind finds, in one request', async () => {
    const [reception, doctor, admin] = [await person('RECEPTION'), await person('DOCTOR'), await person('ADMIN')];
    const test = (await hms.send('POST', TESTS, { token: admin, body: POTASSIUM })).data<{ id: string }>();
    await hms.send('POST', `${TESTS}/${test.id}/activate`, { token: admin });
    const body = { patientId: patient.id, testIds: [test.id] };
    const order = (await hms.send('POST', ORDERS, { token: doctor, body })).data<{ id: string; orderNo: string }>();
    const jane = (await search('jane', reception)).data<Everything>();
    expect(jane).toMatchObject({
      patients: { items: [{ id: patient.id }], total: 1 },
      prescriptions: { items: [], total: 0 },
      employees: { items: [], total: 0 },
    });
    const numbered = (await search(order.orderNo, reception)).data<Everything>();
    expect(numbered).toMatchObject({ labOrders: { items: [{ id: order.id, orderNo: order.orderNo }], total: 1 } });
  });

  it('has nothing of what the caller may not see', async () => {
    const display = await person('DISPLAY');
    expect((await search('jane', display)).data<Everything>()).toEqual({
      ...{ patients: null, labOrders: null, prescriptions: null, employees: null },
    });
  });

  it('is in the audit log like the lists', async () => {
    const reception = await person('RECEPTION');
    await search('jane', reception);
    const ids = await hms.platform.tenants.inTenant(mary.hospital, (trx) =>
      trx.query<{ ids: readonly string[] }>(
        "SELECT details -> 'ids' AS ids FROM audit_events WHERE action = 'list' AND record = 'patients'",
      ),
    );
    expect(ids.flatMap((event) => event.ids)).toEqual([patient.id]);
  });

  it('names what is wrong with its text', async () => {
    const answer = await search('j', await person('RECEPTION'));
    expect(answer).toMatchObject({ status: 400, error: { details: { fields: [{ field: 'q' }] } } });
  });
});
