/** What keeps a record from being deleted. */
import { type ErrorKind, Problem } from '@hms/service';

/**
 * Refuses to delete a locked record that others use.
 * @param kind of the refusal. Its `details.usedBy` names who uses the record.
 * @param users by their name in the menu, each whether it uses the record.
 */
export async function demandUnused(kind: ErrorKind, users: Readonly<Record<string, Promise<boolean>>>): Promise<void> {
  const asked = await Promise.all(Object.entries(users).map(async ([name, uses]) => ((await uses) ? [name] : [])));
  const usedBy = asked.flat();
  if (usedBy.length === 0) return;
  const names = new Intl.ListFormat('en', { type: 'conjunction' }).format(usedBy);
  throw new Problem(kind, { message: `${kind.message}: ${names}`, details: { usedBy } });
}
