/** Keys for what the auth module keeps in PostgreSQL. All processes derive the same ones from the signing key. */
import { createHash, createHmac, hkdfSync, type KeyObject, randomInt, timingSafeEqual } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';

export interface Secrets {
  /** Encrypts a text for one purpose. @param context the text can only be decrypted with the same one. */
  encrypt(text: string, context: string): Promise<string>;
  /** @returns undefined if it was encrypted with another key or context. */
  decrypt(sealed: string, context: string): Promise<string | undefined>;
  /** A hash of a short code that nobody can search through without the key. */
  mac(code: string, context: string): Buffer;
}

/**
 * When the signing key is replaced, these keys change with it: waiting logins end, which last minutes.
 * @param privateKey the signing key.
 */
export function deriveSecrets(privateKey: KeyObject): Secrets {
  const material = privateKey.export({ type: 'pkcs8', format: 'der' });
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', material, '', `hms auth ${purpose}`, 32));
  const [encryption, authentication] = [derive('encryption'), derive('mac')];
  return {
    encrypt: (text, context) =>
      new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', context: sha256(context).toString('base64url') })
        .encrypt(encryption),
    decrypt: async (sealed, context) => {
      try {
        const { plaintext, protectedHeader } = await compactDecrypt(sealed, encryption, {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        });
        const isMeant = protectedHeader.context === sha256(context).toString('base64url');
        return isMeant ? new TextDecoder().decode(plaintext) : undefined;
      } catch {
        return undefined;
      }
    },
    mac: (code, context) => createHmac('sha256', authentication).update(sha256(context)).update(code).digest(),
  };
}

/** Six random digits. */
export function randomCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}

/** Without vowels, which could spell words, and without letters that look alike. */
const CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const CODE_LENGTH = 8;

/** The code that a display shows, such as BCDF-GHJK: one of 25 billion. */
export function randomDisplayCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS.charAt(randomInt(CODE_LETTERS.length))).join(
    '',
  );
  return `${letters.slice(0, CODE_LENGTH / 2)}-${letters.slice(CODE_LENGTH / 2)}`;
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Compares two hashes in constant time. */
export function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
