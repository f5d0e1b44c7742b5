/** Passes that are over: a task marks them, unless the visitor is inside. */
import { records, type TaskName, type Work } from '@hms/service';
import { z } from 'zod';
import { type Visitor, visitors } from './record.ts';

const input = z.object({ visitorId: z.uuid() });
export const passExpiry: TaskName<z.output<typeof input>> = { name: 'visitor-pass-expiry', input, attempts: 16 };

/** Marks the pass when it is over. Another end replaces the one that was planned. */
export function expireLater(work: Work, { id, validTo }: Pick<Visitor, 'id' | 'validTo'>): void {
  work.addTask(passExpiry, { visitorId: id }, { key: id, runAt: new Date(validTo) });
}

/** Whoever is still inside has a pass that is over, and is marked when they leave. */
export async function expirePass(work: Work, id: string): Promise<void> {
  const own = records(work, visitors);
  if (!(await own.find(id))) return;
  const before = await own.lock(id);
  const isOutside = before.status === 'expected' || before.status === 'checked_out';
  if (isOutside && Date.parse(before.validTo) <= work.trx.moment.getTime()) await own.moveTo(before, 'expired');
}
