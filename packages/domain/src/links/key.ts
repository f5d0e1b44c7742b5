/**
 * The key that signs links with which people act without an account: the table `link_keys`. A hospital has a key of its
 * own, so a link opens nothing in another one.
 */
import { randomBytes } from 'node:crypto';
import type { Work } from '@hms/service';

/** Of the signatures (JWS), for which a key of 32 bytes is made. */
export const LINK_ALGORITHM = 'HS256';
const KEY_BYTES = 32;

/** The hospital's key, which the first link creates. */
export async function linkKey({ trx }: Pick<Work, 'trx'>): Promise<Uint8Array> {
  const read = () => trx.query<{ key: Buffer }>('SELECT key FROM link_keys');
  const [known] = await read();
  if (known) return known.key;
  // Another transaction may create it at the same time.
  await trx.query('INSERT INTO link_keys (key) VALUES ($1) ON CONFLICT DO NOTHING', [randomBytes(KEY_BYTES)]);
  const [created] = await read();
  if (!created) throw new Error('the key of the links was not created');
  return created.key;
}
