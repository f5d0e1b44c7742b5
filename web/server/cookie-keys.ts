/** Encrypts the refresh token that a browser keeps in a cookie, so that a stolen cookie opens nothing elsewhere. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { SettingsError } from '@hms/service';
import { CompactEncrypt, compactDecrypt } from 'jose';

export interface CookieKeys {
  /** @param host the text can only be decrypted for the same one. */
  encrypt(text: string, host: string): Promise<string>;
  /** @returns undefined if it was encrypted with a key that is not used any more, or for another host. */
  decrypt(sealed: string, host: string): Promise<string | undefined>;
}

/** @param file one key a line. @throws SettingsError if it has none, or one that is not 32 bytes. */
export async function readCookieKeys(file: string): Promise<CookieKeys> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw problem(`can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
  return cookieKeys(text.split('\n').filter((line) => line.trim() !== ''));
}

/** @param lines the first key encrypts, and all decrypt: to replace a key, put the new one before it. */
export function cookieKeys(lines: readonly string[]): CookieKeys {
  const keys = lines.map((line) => Buffer.from(line.trim(), 'base64'));
  const [first] = keys;
  if (!first || keys.some((key) => key.length !== 32)) throw problem('must have 32 bytes in base64 on each line');
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  return {
    encrypt: (text, host) =>
      new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: idOf(first), host })
        .encrypt(first),
    decrypt: async (sealed, host) => {
      try {
        const { plaintext, protectedHeader } = await compactDecrypt(
          sealed,
          ({ kid }) => byId.get(String(kid)) ?? Promise.reject(new Error('unknown key')),
          { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
        );
        return protectedHeader.host === host ? new TextDecoder().decode(plaintext) : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

function idOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 8);
}

function problem(what: string): SettingsError {
  return new SettingsError([`The file of WEB_COOKIE_KEYS_FILE ${what}: create one with "openssl rand -base64 32".`]);
}
