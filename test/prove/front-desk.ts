/** Receptionists who let visitors in, and administrators who import patients, at the same time. */
import type { PatientImport } from '@hms/domain/imports';
import type { Visitor } from '@hms/domain/visitors';
import { poll } from '@hms/local';
import { aPatient, type People, unique } from './people.ts';
import { isDone, outcome, type Proof, repeated, succeeded, unexpected, unless } from './proof.ts';

const VISITORS = 20;
const ROWS = 300;
const IMPORTS = '/api/hms/patient-imports';
const IMPORT_MS = 120_000;

export const FRONT_DESK_SCENARIOS: readonly ((people: People) => Promise<Proof>)[] = [lastPlace, twoImports];

/** A patient may have two visitors: one is inside, and 20 others come. */
async function lastPlace(people: People): Promise<Proof> {
  return repeated(`the last place beside a patient, for ${VISITORS} visitors`, async () => {
    const { id: patientId } = await aPatient(people);
    const passes = await Promise.all(
      Array.from({ length: VISITORS + 1 }, () =>
        people.do<Visitor>('RECEPTION', '/api/crm/visitors', { patientId, name: unique('Visitor') }),
      ),
    );
    const [first, ...others] = passes.map(
      ({ id }) =>
        () =>
          people.send('RECEPTION', 'POST', `/api/crm/visitors/${id}/check-in`, {}),
    );
    const before = await first?.();
    const answers = await Promise.all(others.map((checkIn) => checkIn()));
    const [inside] = await people.rows<{ number: number }>(
      "SELECT count(*)::integer AS number FROM @visitors WHERE patient_id = ? AND status = 'checked_in'",
      [patientId],
    );
    const violations = [
      ...unless(isDone(before), 'the first visitor was refused'),
      ...unless(inside?.number === 2, `${inside?.number} visitors are inside`),
      ...unless(succeeded(answers) === 1, `${succeeded(answers)} were let in`),
      ...unexpected(answers, ['VISITOR_LIMIT_REACHED']),
    ];
    return { answers, violations };
  });
}

/** Two administrators import the same file. */
async function twoImports(people: People): Promise<Proof> {
  const lastName = unique('Imported');
  const rows = Array.from({ length: ROWS }, (_, at) => `Ana ${at},${lastName},+35386${1_000_000 + at},1980-02-28`);
  const csv = ['firstName,lastName,phone,dateOfBirth', ...rows].join('\n');
  const body = { fileName: 'patients.csv', content: Buffer.from(csv).toString('base64') };
  const admins = [' one', ' other'];
  const checked = await Promise.all(admins.map((who) => people.send('ADMIN', 'POST', IMPORTS, body, who)));
  const started = await Promise.all(
    checked.map((answer, at) =>
      people.send('ADMIN', 'POST', `${IMPORTS}/${answer.data<PatientImport>().id}/start`, {}, admins[at]),
    ),
  );
  const ended = await Promise.all(
    started.map((answer) =>
      poll(
        async () => {
          const { id } = answer.data<PatientImport>();
          const now = (await people.send('ADMIN', 'GET', `${IMPORTS}/${id}`)).data<PatientImport>();
          return now.status === 'completed' ? now : undefined;
        },
        { timeout: IMPORT_MS },
      ),
    ),
  );
  const sum = (of: 'imported' | 'known' | 'wrong') => ended.reduce((all, one) => all + (one?.[of] ?? 0), 0);
  const [registered] = await people.rows<{ number: number; people: number }>(
    `SELECT count(*)::integer AS number, count(DISTINCT phone)::integer AS people FROM @patients WHERE last_name = ?`,
    [lastName],
  );
  const answers = [...checked, ...started];
  return {
    scenario: `two imports of one file with ${ROWS} patients`,
    requests: answers.length,
    outcomes: answers.map(outcome),
    violations: [
      ...unless(registered?.people === ROWS, `${registered?.people} people are registered`),
      ...unless(registered?.number === ROWS, `there are ${registered?.number} patients`),
      ...unless(sum('imported') === ROWS, `the imports say that they registered ${sum('imported')}`),
      ...unless(sum('known') === ROWS, `the imports say that ${sum('known')} were registered already`),
      ...unless(sum('wrong') === 0, `${sum('wrong')} rows were wrong`),
      ...unexpected(answers, []),
    ],
  };
}
