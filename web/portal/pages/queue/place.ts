/** Where this browser stands: the clinic and the room that were chosen last, and whether it prints tokens. */
const KEY = 'hms-queue-place';

const PRINT_KEY = 'hms-queue-print';

export interface Place {
  readonly clinic?: string | undefined;
  readonly room?: string | undefined;
}

export function lastPlace(): Place {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Place;
  } catch {
    return {};
  }
}

export function rememberPlace(place: Place): void {
  localStorage.setItem(KEY, JSON.stringify(place));
}

/** Whether each token is printed at once. */
export function isAlwaysPrinted(): boolean {
  return localStorage.getItem(PRINT_KEY) !== null;
}

export function printAlways(isOn: boolean): void {
  if (isOn) localStorage.setItem(PRINT_KEY, '1');
  else localStorage.removeItem(PRINT_KEY);
}
