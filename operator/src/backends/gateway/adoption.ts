import type { Tenant } from '../backend.ts';
import { BackendError } from '../errors.ts';
import type { KongEntity } from './client.ts';
import type { EntityChange } from './sync.ts';

/**
 * What to do about a consumer that has the hospital's username and is not the operator's: its id is another.
 * Nothing in the gateway is data, so adopting it means to replace it, with its credentials. Pure.
 *
 * @throws BackendError Conflict when it may not be taken over.
 */
export function adoptionChanges({ names, adoptUnowned }: Tenant, stranger: KongEntity | undefined): EntityChange[] {
  if (!stranger) return [];
  const object = `consumer ${names.consumer}`;
  const tags = Array.isArray(stranger.tags) ? stranger.tags.map(String) : [];
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
  const detail = "without an owner's mark, replaced as spec.adoption is IfUnowned";
  return [{ action: 'delete', object, detail, entity: { collection: 'consumers', id: stranger.id } }];
}
