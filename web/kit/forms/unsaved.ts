/** The forms of this page with input that is not saved. */
const unsaved = new Set<object>();
let isDropped = false;

export function hasUnsaved(): boolean {
  return unsaved.size > 0;
}

/** Somebody has decided to leave the page without that input: while they leave, nothing asks again. */
export async function withoutUnsaved(leave: () => Promise<void>): Promise<void> {
  isDropped = true;
  try {
    await leave();
  } catch (error) {
    // They are still here, and so is what they typed.
    isDropped = false;
    throw error;
  }
}

export function isUnsavedDropped(): boolean {
  return isDropped;
}

export function setUnsaved(form: object, isUnsaved: boolean): void {
  if (isUnsaved) unsaved.add(form);
  else unsaved.delete(form);
}
