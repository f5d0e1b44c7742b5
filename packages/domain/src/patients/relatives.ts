/** Families of patients who may be relatives of a new one. */
import { nameSpellings, type Work } from '@hms/service';

export interface Relative {
  readonly familyId: string;
  readonly hasPhone: boolean;
  readonly hasName: boolean;
}

/**
 * Families with a patient of this phone number or last name, as searches compare names. Those with the number come first,
 * then those with the name too, then the newest. The audit log has no event.
 * @param most how many.
 */
export function familiesLike(
  { trx }: Work,
  { phone, lastName }: { readonly phone?: string | undefined; readonly lastName?: string | undefined },
  most: number,
): Promise<readonly Relative[]> {
  const names = /[\p{L}\p{N}]/u.test(lastName ?? '') ? nameSpellings(lastName ?? '') : [];
  return trx.query<Relative>(LIKE, [phone ?? null, names, most]);
}

/** A text without what may stand between the parts of a name, as `search_people` joins it. */
const joined = (text: string) => `translate(search_text(${text}), ' -,;:()/_', '')`;

/** The trigram index finds the name where a form of the person’s names begins. Each spelling uses it. */
const LIKE = `
  WITH names AS (SELECT ${joined('name')} AS name FROM unnest($2::text[]) AS name),
  relatives AS (
    SELECT family_id, true AS has_phone, false AS has_name FROM patients
    WHERE phone = $1 AND deleted_at IS NULL AND family_id IS NOT NULL
    UNION ALL
    SELECT family_id, false, true FROM names JOIN patients
      ON search LIKE '%' || U&'\\001F' || replace(name, '\\', '\\\\') || '%' AND ${joined('last_name')} = name
    WHERE name <> '' AND deleted_at IS NULL AND family_id IS NOT NULL
  )
  SELECT family_id AS "familyId", bool_or(has_phone) AS "hasPhone", bool_or(has_name) AS "hasName"
  FROM relatives GROUP BY family_id
  ORDER BY bool_or(has_phone) DESC, bool_or(has_name) DESC, family_id DESC LIMIT $3`;
