/** What the laboratory does for a visit. */
import {
  acknowledgeResults,
  cancelOrder,
  collect,
  enterResults,
  newOrder,
  placeOrder,
  readOrder,
  receive,
  reject,
  type ShownOrder,
  verifyResults,
} from '@hms/domain/lab-orders';
import type { Work } from '@hms/service';
import type { Day, Visit } from './day.ts';
import { valueFor } from './laboratory.ts';
import { Random } from './random.ts';
import { type Actor, after } from './run.ts';

/** An order runs through the laboratory as far as the present allows. */
export async function orderTests(day: Day, { key, patientId, doctor }: Visit, start: Date): Promise<void> {
  const { run } = day;
  const { staff, laboratory } = day.place;
  const random = new Random(key, 'laboratory');
  const urgent = random.chance(0.08);
  const body = newOrder.parse({
    ...{ patientId, doctorId: doctor.employeeId, priority: urgent ? 'stat' : 'routine' },
    ...laboratory.someTests(random, day.place.book.ageOf(patientId, start)),
  });
  const { id } = await day.as(doctor, start, (work) => placeOrder(work, body));
  day.counts.orders += 1;
  const step = async <T>(actor: Actor, moment: Date, work: (work: Work) => Promise<T>) =>
    run.isPast(moment) ? day.as(actor, moment, work) : undefined;

  let moment = after(start, random.between(5, urgent ? 15 : 40));
  if (random.chance(0.02)) {
    await step(doctor, moment, (work) => cancelOrder(work, id, { reason: 'Patient went home' }, undefined));
    return;
  }
  const nurse = random.oneOf(staff.nurses);
  if (!(await step(nurse, moment, (work) => collect(work, id, {}, undefined)))) return;
  const [technician, verifier] = staff.technicians;
  if (!technician || !verifier) throw new Error('the laboratory needs two technicians');
  moment = after(moment, random.between(5, 30));
  if (!(await step(technician, moment, (work) => receive(work, id, {}, undefined)))) return;
  if (random.chance(0.03)) {
    moment = after(moment, 4);
    const reason = random.oneOf(['Haemolysed', 'Clotted', 'Too little blood', 'Not labelled']);
    const rejected = await step(technician, moment, async (work) => {
      const specimen = (await readOrder(work, id)).specimens.find(({ status }) => status === 'received');
      if (specimen) await reject(work, id, { specimenId: specimen.id, reason }, undefined);
      return true;
    });
    moment = after(moment, random.between(20, 60));
    if (!rejected || !(await step(nurse, moment, (work) => collect(work, id, {}, undefined)))) return;
  }
  moment = after(moment, random.between(20, urgent ? 40 : 150));
  const entered = await step(technician, moment, async (work) => {
    const { items } = await readOrder(work, id);
    const results = items.map((item) => ({ itemId: item.id, value: valueFor(item.code, random), note: undefined }));
    await enterResults(work, id, { results }, undefined);
    return true;
  });
  moment = after(moment, random.between(5, urgent ? 15 : 90));
  if (!entered || (random.chance(0.01) && run.isPast(moment))) return;
  const verified = await step(verifier, moment, async (work) => {
    const order = await readOrder(work, id);
    await verifyResults(work, id, { resultIds: resultsOf(order) }, undefined);
    return resultsOf(order, (result) => result.isCritical);
  });
  if (!verified?.length) return;
  await step(doctor, after(moment, random.between(2, 40)), (work) =>
    acknowledgeResults(work, id, { resultIds: verified }, undefined),
  );
}

type Result = NonNullable<ShownOrder['items'][number]['result']>;

function resultsOf({ items }: ShownOrder, isWanted: (result: Result) => boolean = () => true): string[] {
  return items.flatMap(({ result }) => (result && isWanted(result) ? [result.id] : []));
}
