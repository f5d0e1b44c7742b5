import { createSecureContext, type SecureContext } from 'node:tls';
import type { Certificate } from '../entities/certificates.ts';
import type { Store } from '../store/store.ts';

/** The certificates of the TLS listener by the names that clients ask for. */
export class ServerCertificates {
  readonly #byName = new Map<string, SecureContext>();

  /**
   * @param known contexts that were made before; a certificate that has not changed is not parsed again
   * @param warn told of a certificate that can't be used; its names are shown the listener's own
   */
  constructor(store: Store, known: WeakMap<Certificate, SecureContext>, warn: (error: unknown) => void) {
    for (const { name, certificate } of store.all('snis')) {
      const row = store.get('certificates', certificate.id);
      const context = row && (known.get(row) ?? secureContext(row, warn));
      if (!row || !context) continue;
      known.set(row, context);
      this.#byName.set(name.toLowerCase(), context);
    }
  }

  /** As Kong: the name itself, then with its first label wild, then with its last, then what is for all. */
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
