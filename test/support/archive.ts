/** A fifth backend, whose engine is the memory of the test: a box for each hospital. */

import type { Backend, Change, Descriptor, Owned, Tenant } from '../../operator/src/backends/backend.ts';
import type { Calls } from '../../operator/src/backends/calls.ts';
import { BackendError } from '../../operator/src/backends/errors.ts';

export const ARCHIVE: Descriptor = {
  name: 'archive',
  condition: 'ArchiveReady',
  part: 'box',
  needs: [{ name: 'database', despite: [] }],
  budget: { concurrency: 2, perSecond: 50 },
};

export interface Box {
  readonly hospitalId: string;
  readonly label: string;
}

/** The engine. */
export class Archive {
  readonly boxes = new Map<string, Box>();
  /** Called before each box is filled or removed. */
  onWrite: (prefix: string, what: 'fill' | 'remove') => Promise<void> = async () => undefined;
  available = true;
}

export class ArchiveBackend implements Backend<Box | undefined> {
  readonly descriptor = ARCHIVE;
  readonly #archive: Archive;
  readonly #calls: Calls;

  constructor(archive: Archive, calls: Calls) {
    this.#archive = archive;
    this.#calls = calls;
  }

  ping(): Promise<void> {
    return this.#calls.ping(async () => this.#reach());
  }

  externalId({ names }: Tenant): string {
    return names.prefix;
  }

  wanted({ hospitalId, profile }: Tenant): Box {
    return { hospitalId, label: profile.displayName };
  }

  observe({ names }: Tenant): Promise<Box | undefined> {
    return this.#call('read', async () => this.#archive.boxes.get(names.prefix));
  }

  diff(tenant: Tenant, observed: Box | undefined): readonly Change[] {
    const object = `box ${tenant.names.prefix}`;
    if (!observed) return [{ action: 'create', object }];
    return observed.label === this.wanted(tenant).label ? [] : [{ action: 'update', object, detail: 'label' }];
  }

  apply(tenant: Tenant): Promise<void> {
    const { prefix } = tenant.names;
    return this.#call('write', async () => {
      await this.#archive.onWrite(prefix, 'fill');
      this.#archive.boxes.set(prefix, this.wanted(tenant));
    });
  }

  remove({ names, hospitalId }: Owned): Promise<readonly string[]> {
    return this.#call('remove', async () => {
      const box = this.#archive.boxes.get(names.prefix);
      if (box && box.hospitalId !== hospitalId) return [`box ${names.prefix}, which is another hospital's`];
      await this.#archive.onWrite(names.prefix, 'remove');
      this.#archive.boxes.delete(names.prefix);
      return [];
    });
  }

  #call<T>(op: string, work: () => Promise<T>): Promise<T> {
    return this.#calls.run(op, async () => {
      this.#reach();
      return work();
    });
  }

  #reach(): void {
    if (!this.#archive.available) throw new BackendError('Unavailable', 'the archive is closed');
  }
}
