import { X509Certificate } from 'node:crypto';
import { gatewayId } from '@hms/tenancy';
import type ComponentRepresentation from '@keycloak/keycloak-admin-client/lib/defs/componentRepresentation.js';
import type { KeyMetadataRepresentation } from '@keycloak/keycloak-admin-client/lib/defs/keyMetadataRepresentation.js';
import { BackendError } from '../errors.ts';
import type { KeyStep, RealmKeys, SigningKey } from '../key-rotation.ts';
import type { Keycloak } from './client.ts';

const KEY_PROVIDER = 'org.keycloak.keys.KeyProvider';
const GENERATED = 'rsa-generated';

/** The keys that realms sign access tokens with. */
export class SigningKeys {
  readonly #keycloak: Keycloak;

  constructor(keycloak: Keycloak) {
    this.#keycloak = keycloak;
  }

  /** @throws BackendError NotFound if the realm has no active RS256 key. */
  read(realm: string): Promise<RealmKeys> {
    return this.#keycloak.call('read-key', async (admin) => {
      const [{ active, keys = [] }, components] = await Promise.all([
        admin.realms.getKeys({ realm }),
        admin.components.find({ realm, type: KEY_PROVIDER }),
      ]);
      const found = keys.filter(({ kid }) => kid !== undefined && kid === active?.RS256);
      const current = found.flatMap((key) => signingKey(key, components) ?? [])[0];
      if (!current) {
        const remedy = 'add one under Realm settings, Keys';
        throw new BackendError('NotFound', `realm ${realm} has no active RS256 key: ${remedy}`);
      }
      const generated = keys.filter(
        ({ algorithm, providerId }) =>
          algorithm === 'RS256' &&
          providerId !== current.id &&
          components.some((component) => component.id === providerId && component.providerId === GENERATED),
      );
      return { current, others: generated.flatMap((key) => signingKey(key, components) ?? []) };
    });
  }

  /** @throws BackendError Unavailable if another process has created the same key. */
  async apply(realm: string, step: KeyStep): Promise<void> {
    if (step.kind === 'delete') {
      const remove = this.#keycloak.call('change-key', (admin) => admin.components.del({ realm, id: step.key.id }));
      await remove.catch((error: unknown) => {
        if (!(error instanceof BackendError && error.kind === 'NotFound')) throw error;
      });
      return;
    }
    await this.#keycloak.call('change-key', async (admin) => {
      const type = { providerId: GENERATED, providerType: KEY_PROVIDER };
      const { name } = step;
      const priority = [String(step.priority)];
      if (step.kind === 'activate') {
        const config = { priority, active: ['true'] };
        await admin.components.update({ realm, id: step.key.id }, { ...type, id: step.key.id, name, config });
        return;
      }
      const parentId = (await admin.realms.findOne({ realm }))?.id ?? '';
      // The same id for every process, so that the second one gets 409 and no second key is created.
      const id = gatewayId('keys', [realm, ...step.after].join(' '));
      const config = { priority, enabled: ['true'], active: ['false'], keySize: ['2048'], algorithm: ['RS256'] };
      await admin.components.create({ realm, ...type, id, name, parentId, config });
    });
  }
}

function signingKey(
  key: KeyMetadataRepresentation,
  components: readonly ComponentRepresentation[],
): SigningKey | undefined {
  const { publicKey, certificate, providerId: id = '', providerPriority: priority = 0, status } = key;
  if (!publicKey) return undefined;
  const name = components.find((component) => component.id === id)?.name ?? '';
  const pem = `-----BEGIN PUBLIC KEY-----\n${publicKey.match(/.{1,64}/g)?.join('\n')}\n-----END PUBLIC KEY-----\n`;
  const { validFrom } = certificate ? new X509Certificate(Buffer.from(certificate, 'base64')) : { validFrom: 0 };
  const createdAt = new Date(validFrom);
  return { id, name, priority, active: status === 'ACTIVE', createdAt, pem };
}
