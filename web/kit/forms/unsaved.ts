/** The forms of this page with input that is not saved. */
const unsaved = new Set<object>();
let isDropped = false;

export function hasUnsaved(): boolean {
  return unsaved.size > 0;
}

/** Somebody has decided to leave the page without that input. Nothing asks again. */
export function dropUnsaved(): void {
  unsaved.clear();
  isDropped = true;
}

export function isUnsavedDropped(): boolean {
  return isDropped;
}

export function setUnsaved(form: object, isUnsaved: boolean): void {
  if (isUnsaved) unsaved.add(form);
  else unsaved.delete(form);
}
