/** What happens to a time that has become free. */
import type { TaskName } from '@hms/service';
import { z } from 'zod';

const moment = z.iso.datetime();
const freed = z.object({
  doctorId: z.uuid(),
  startsAt: moment,
  endsAt: moment.optional(),
  beyond: moment.optional(),
});
const offered = z.object({ appointmentId: z.uuid() });

/** Offers the time to somebody of the waiting list. */
export const placeFreed: TaskName<z.output<typeof freed>> = {
  name: 'appointment-place-freed',
  input: freed,
  attempts: 16,
};

/** Ends an offer that nobody has answered in time. */
export const offerExpiry: TaskName<z.output<typeof offered>> = {
  name: 'appointment-offer-expiry',
  input: offered,
  attempts: 16,
};
