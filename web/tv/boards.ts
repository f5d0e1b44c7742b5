/** The boards of a display's clinics, from the stream that says when they change. */
import type { Schemas } from '@hms/api-client';
import { readEvents } from '../kit/live/event-stream.ts';

export type Board = Schemas['QueueBoard'];

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;

interface Followed {
  readonly token: string;
  readonly clinicIds: readonly string[];
}

interface Listener {
  /** What to follow now, or undefined while the display is not paired. */
  wanted(): Followed | undefined;
  onBoard(board: Board): void;
  /** Something has come, if only a sign of life. */
  onHeard(): void;
}

/** Follows for as long as the page is open. */
export async function followBoards(listener: Listener): Promise<void> {
  let pause = FIRST_PAUSE;
  let last: { readonly clinics: string; readonly id: string } | undefined;
  for (;;) {
    const wanted = listener.wanted();
    if (!wanted || wanted.clinicIds.length === 0) {
      // Whoever is paired again has no boards any more.
      last = undefined;
      await sleep(FIRST_PAUSE);
      continue;
    }
    const clinics = wanted.clinicIds.join();
    try {
      await follow(
        wanted,
        last?.clinics === clinics ? last.id : undefined,
        {
          ...listener,
          onHeard: () => {
            pause = FIRST_PAUSE;
            listener.onHeard();
          },
        },
        (id) => {
          last = { clinics, id };
        },
      );
    } catch {
      // Opened again below.
    }
    // Not all televisions at once, after the server or the network was away.
    await sleep(pause * (0.5 + Math.random()));
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  }
}

/** One stream, until it ends or the display gets other clinics. */
async function follow(
  { token, clinicIds }: Followed,
  lastId: string | undefined,
  { wanted, onBoard, onHeard }: Listener,
  onId: (id: string) => void,
): Promise<void> {
  const abort = new AbortController();
  const query = new URLSearchParams({
    clinics: clinicIds.join(),
    ...(lastId === undefined ? {} : { lastEventId: lastId }),
  });
  const headers = { Authorization: `Bearer ${token}` };
  await readEvents(
    async (signal) => {
      const response = await fetch(`/api/queue/display?${query}`, { headers, credentials: 'omit', signal });
      if (!response.ok) throw new Error(String(response.status));
      return response;
    },
    abort.signal,
    ({ id, data }) => {
      onBoard(JSON.parse(data) as Board);
      if (id !== undefined) onId(id);
    },
    () => {
      onHeard();
      if (wanted()?.clinicIds.join() !== clinicIds.join()) abort.abort();
    },
  );
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
