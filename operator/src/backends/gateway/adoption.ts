import type { Tenant } from '../backend.ts';
import { BackendError } from '../errors.ts';
import type { KongEntity } from './client.ts';
import type { EntityChange } from './sync.ts';

/**
 * Decides what to do about a consumer with the hospital's username but another id than the operator's.
 * The gateway holds no data, so adopting the consumer means replacing it with its credentials. Pure.
 *
 * @throws BackendError Conflict if it must not be adopted.
 */
export function adoptionChanges(
  { names, adoptUnowned }: Tenant,
  foreignConsumer: KongEntity | undefined,
): EntityChange[] {
  if (!foreignConsumer) return [];
  const object = `consumer ${names.consumer}`;
  const tags = Array.isArray(foreignConsumer.tags) ? foreignConsumer.tags.map(String) : [];
  const owner = tags.find((tag) => tag.startsWith('hms-'));
  if (owner !== undefined) {
    throw new BackendError(
      'Conflict',
      `${object} exists in the gateway and is marked as somebody else's (${owner}): delete it there, or choose another name for the hospital`,
    );
  }
  if (!adoptUnowned) {
    throw new BackendError(
      'Conflict',
      `${object} exists in the gateway without an owner's mark: delete or rename it there, or set spec.adoption to IfUnowned to have it replaced`,
    );
  }
  const detail = "without an owner's mark, replaced because spec.adoption is IfUnowned";
  return [{ action: 'delete', object, detail, entity: { collection: 'consumers', id: foreignConsumer.id } }];
}
