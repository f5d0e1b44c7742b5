/** The forms of this page with input that is not saved. */
const unsaved = new Set<object>();

export function hasUnsaved(): boolean {
  return unsaved.size > 0;
}

export function setUnsaved(form: object, isUnsaved: boolean): void {
  if (isUnsaved) unsaved.add(form);
  else unsaved.delete(form);
}
