import { createSecureContext, type SecureContext } from 'node:tls';
import type { Certificate } from '../entities/certificates.ts';
import type { Store } from '../store/store.ts';

/** The certificates of the TLS listener by the names that clients ask for. */
export class ServerCertificates {
  readonly #byName = new Map<string, SecureContext>();

  /**
   * @param cached contexts of certificates, so that an unchanged certificate is not parsed again
   * @param warn called for an unusable certificate. Its names get the listener's own.
   */
  constructor(store: Store, cached: WeakMap<Certificate, SecureContext>, warn: (error: unknown) => void) {
    for (const { name, certificate } of store.all('snis')) {
      const row = store.get('certificates', certificate.id);
      const context = row && (cached.get(row) ?? secureContext(row, warn));
      if (!row || !context) continue;
      cached.set(row, context);
      this.#byName.set(name.toLowerCase(), context);
    }
  }

  /** As in Kong: the name itself, then a wildcard first label, then a wildcard last label, then `*`. */
  find(servername: string): SecureContext | undefined {
    const name = servername.replace(/\.$/, '').toLowerCase();
    return (
      this.#byName.get(name) ??
      this.#byName.get(name.replace(/^[^.]*/, '*')) ??
      this.#byName.get(name.replace(/[^.]*$/, '*')) ??
      this.#byName.get('*')
    );
  }
}

function secureContext(row: Certificate, warn: (error: unknown) => void): SecureContext | undefined {
  try {
    return createSecureContext({
      cert: [row.cert, ...(row.cert_alt === null ? [] : [row.cert_alt])],
      key: [row.key, ...(row.key_alt === null ? [] : [row.key_alt])],
    });
  } catch (error) {
    warn(error);
    return undefined;
  }
}
