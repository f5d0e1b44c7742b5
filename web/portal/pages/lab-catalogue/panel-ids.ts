/** The tests of a panel in a form: their ids, with commas between them. */
export const idsIn = (value: string): string[] => (value === '' ? [] : value.split(','));
