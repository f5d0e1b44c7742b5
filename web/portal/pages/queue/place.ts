/** Where this browser stands: the clinic and the room that were chosen last. */
const KEY = 'hms-queue-place';

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
