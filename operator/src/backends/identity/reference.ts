import { gatewayId } from '@hms/tenancy';
import { BackendError, changedMeanwhile } from '../errors.ts';
import type { RealmExport } from './change.ts';
import type { Keycloak } from './client.ts';
import { REFERENCE_REALM } from './expected.ts';
import { realmRepresentation } from './realm.ts';

/**
 * The defaults of this Keycloak for a realm that the operator creates. They differ between versions,
 * so they are read from a temporary realm, which is deleted again.
 */
export class Reference {
  readonly #keycloak: Keycloak;
  #learned: Promise<RealmExport> | undefined;

  constructor(keycloak: Keycloak) {
    this.#keycloak = keycloak;
  }

  /**
   * The export of such a realm. It is created once for each version.
   * @param version of the Keycloak whose realms are compared with it.
   * @throws BackendError Unavailable while processes of two versions run.
   */
  async of(version: string | undefined): Promise<RealmExport> {
    const cached = await this.#learn();
    if (cached.keycloakVersion === version) return cached;
    this.#learned = undefined;
    const learned = await this.#learn();
    if (learned.keycloakVersion === version) return learned;
    throw new BackendError('Unavailable', `Keycloak answers as ${version} and as ${learned.keycloakVersion}`);
  }

  #learn(): Promise<RealmExport> {
    const learning = this.#learned ?? this.#keycloak.call('reference', (admin) => make(admin)).catch(explain);
    this.#learned = learning;
    learning.catch(() => {
      if (this.#learned === learning) this.#learned = undefined;
    });
    return learning;
  }
}

/** A former leader may have created the same realm, or deleted this one. */
function explain(error: unknown): never {
  if (!(error instanceof BackendError) || error.kind !== 'NotFound') throw error;
  throw changedMeanwhile(`realm ${REFERENCE_REALM}`);
}

type Admin = Parameters<Parameters<Keycloak['call']>[1]>[0];

const SETTINGS = realmRepresentation({
  name: REFERENCE_REALM,
  id: gatewayId('realms', REFERENCE_REALM),
  ownerUid: 'platform',
  displayName: 'Reference',
  enabled: false,
  secondFactor: 'None',
  roles: [],
  claims: { hospital_id: 'reference', hospital_prefix: 'reference' },
  accessTokenSeconds: 300,
  impersonation: false,
  origins: [],
  authJwksUrl: 'http://localhost',
  smtp: { host: 'localhost', port: 25, tls: 'none', from: 'reference@localhost' },
});

async function make(admin: Admin): Promise<RealmExport> {
  const realm = REFERENCE_REALM;
  // Left behind by an interrupted process.
  const leftover = await admin.realms.findOne({ realm });
  if (leftover?.id === SETTINGS.id) await admin.realms.del({ realm });
  else if (leftover)
    throw new BackendError(
      'Conflict',
      `realm ${realm} exists in Keycloak and is not the operator's: delete or rename it`,
    );
  await admin.realms.create(SETTINGS);
  try {
    return { ...(await admin.realms.export({ realm, exportClients: true, exportGroupsAndRoles: true })), realm };
  } finally {
    await admin.realms.del({ realm });
  }
}
