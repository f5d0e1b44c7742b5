/** Keeps a place for whoever is about to book it, as long as they are busy with its form. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, api, dataOf } from '../../../kit/api/api.ts';
import type { Slot } from './appointments.queries.ts';

/** Somebody who types holds the place again this often at most, in ms. */
const PAUSE = 30_000;

interface Hold {
  /** With the offset of the hospital. Null: the place is not kept. Undefined: it is not known yet. */
  readonly heldUntil: string | null | undefined;
  /** Keeps the place longer, at each key. */
  onTyping(): void;
  /** Around a booking, which takes the place of the hold. */
  during(booking: () => Promise<void>): Promise<void>;
}

/** @param onRefused when somebody else has the place already */
export function useHold(
  { doctorId, startsAt }: Pick<Slot, 'doctorId' | 'startsAt'>,
  visitTypeId: string | undefined,
  onRefused: (error: ApiError) => void,
): Hold {
  const [heldUntil, setHeldUntil] = useState<string | null>();
  const id = useRef<Promise<string | undefined>>(undefined);
  const askedAt = useRef(0);
  const isBooking = useRef(false);
  const hold = useCallback(async (): Promise<ApiError | undefined> => {
    askedAt.current = Date.now();
    const body = { doctorId, startsAt, ...(visitTypeId === undefined ? {} : { visitTypeId }) };
    const asking = dataOf(api.POST('/api/queue/appointments/holds', { body }));
    id.current = asking.then(
      (kept) => kept.id,
      () => undefined,
    );
    try {
      setHeldUntil((await asking).heldUntil);
    } catch (error) {
      setHeldUntil(null);
      // Without an answer, the place can be booked all the same.
      if (error instanceof ApiError && error.status < 500) return error;
    }
    return undefined;
  }, [doctorId, startsAt, visitTypeId]);
  const refused = useRef(onRefused);
  refused.current = onRefused;
  useEffect(() => {
    let isOpen = true;
    void hold().then((error) => error && isOpen && !isBooking.current && refused.current(error));
    return () => {
      isOpen = false;
      if (!isBooking.current) void giveBack(id.current);
    };
  }, [hold]);
  return {
    heldUntil,
    onTyping: () => {
      if (!isBooking.current && Date.now() > askedAt.current + PAUSE) void hold();
    },
    during: async (booking) => {
      isBooking.current = true;
      await booking();
      isBooking.current = false;
    },
  };
}

/** What is not given back expires soon. */
async function giveBack(holding: Promise<string | undefined> | undefined): Promise<void> {
  const id = await holding;
  if (id === undefined) return;
  await api.DELETE('/api/queue/appointments/holds/{id}', { params: { path: { id } } }).catch(() => undefined);
}
