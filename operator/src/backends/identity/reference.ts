import { gatewayId } from '@hms/tenancy';
import { BackendError, changedMeanwhile } from '../errors.ts';
import type { RealmExport } from './change.ts';
import type { Keycloak } from './client.ts';
import { REFERENCE_REALM } from './expected.ts';
import { realmRepresentation } from './realm.ts';

/**
 * What this Keycloak fills into a realm that is made as the operator makes it. It differs from one version to another,
 * so it is learned rather than known: from a realm that is made for it and deleted again.
 */
export class Reference {
  readonly #keycloak: Keycloak;
  #learned: Promise<RealmExport> | undefined;

  constructor(keycloak: Keycloak) {
    this.#keycloak = keycloak;
  }

  /**
   * The export of such a realm. It is made once for each version.
   * @param version of the Keycloak whose realms are compared with it.
   * @throws BackendError Unavailable while processes of two versions run.
   */
  async of(version: string | undefined): Promise<RealmExport> {
    const known = await this.#learn();
    if (known.keycloakVersion === version) return known;
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

/** A process that leads no more may have made the same realm, or deleted this one. */
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
  roles: [],
  claims: { hospital_id: 'reference', hospital_prefix: 'reference' },
  accessTokenSeconds: 300,
  origins: [],
  authJwksUrl: 'http://localhost',
  smtp: { host: 'localhost', port: 25, from: 'reference@localhost' },
});

async function make(admin: Admin): Promise<RealmExport> {
  const realm = REFERENCE_REALM;
  // Left by a process that ended in between.
  const left = await admin.realms.findOne({ realm });
  if (left?.id === SETTINGS.id) await admin.realms.del({ realm });
  await admin.realms.create(SETTINGS);
  try {
    return { ...(await admin.realms.export({ realm, exportClients: true, exportGroupsAndRoles: true })), realm };
  } finally {
    await admin.realms.del({ realm });
  }
}
