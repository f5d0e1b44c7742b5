/** Opens what a module prints in another tab. */
import { tellMissing } from '../ui/missing-characters.tsx';
import { follow } from './api.ts';

const RENDERING_MS = 30_000;
/** Until the browser has taken the file. */
export const REVOKE_MS = 60_000;

/** Opens a PDF that a module renders. @param prepare does what comes before, and returns the path. @throws ApiError */
export function openPdf(prepare: () => Promise<string>): Promise<void> {
  return openTab(async () => {
    const file = await follow(await prepare(), AbortSignal.timeout(RENDERING_MS));
    tellMissing(file.headers.get('X-Missing-Characters')?.split(' ') ?? []);
    const url = URL.createObjectURL(await file.blob());
    setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS);
    return url;
  });
}

/** Opens another tab now, and shows in it what is at the address later. */
export async function openTab(addressOf: () => Promise<string>): Promise<void> {
  // At once: later, the browser would take it for a pop-up.
  const tab = window.open('', '_blank');
  try {
    const url = await addressOf();
    if (tab) tab.location.href = url;
    else location.assign(url);
  } catch (error) {
    tab?.close();
    throw error;
  }
}
