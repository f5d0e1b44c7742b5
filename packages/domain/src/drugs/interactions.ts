/** Which pairs of substances are known, however they are spelled. */
import type { Work } from '@hms/service';
import type { INTERACTION_SEVERITIES } from './record.ts';

/** How the searches spell texts, by the text: equal results are the same substance. */
export async function spellings({ trx }: Work, texts: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await trx.query<{ text: string; key: string }>(SPELLINGS, [[...new Set(texts)]]);
  return new Map(rows.map(({ text, key }) => [text, key]));
}

/** An interaction with its substances as `spellings` spells them. */
export interface KnownInteraction {
  readonly id: string;
  readonly a: string;
  readonly b: string;
  readonly severity: (typeof INTERACTION_SEVERITIES)[number];
  readonly effect: string;
}

/** Interactions of which both substances are among these. @param keys as `spellings` spells them. */
export async function interactionsAmong({ trx }: Work, keys: readonly string[]): Promise<readonly KnownInteraction[]> {
  return trx.query<KnownInteraction>(AMONG, [keys]);
}

const SPELLINGS = 'SELECT text, search_text(text) AS key FROM unnest($1::text[]) AS text';
const AMONG = `
  SELECT id, search_text(substance_a) AS a, search_text(substance_b) AS b, severity, effect FROM drug_interactions
  WHERE deleted_at IS NULL
    AND least(search_text(substance_a), search_text(substance_b)) = ANY($1)
    AND greatest(search_text(substance_a), search_text(substance_b)) = ANY($1)
  ORDER BY id`;
