/** Hospital objects in a cluster. */
import { apiMessage, type Condition, conditionsOf, FIELD_MANAGER, type Manifest, sentence } from '@hms/local';
import { CustomObjectsApi, type KubeConfig, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';
import { EXIT, Exit } from './exit.ts';

export interface Hospital extends Manifest {
  metadata: Manifest['metadata'] & { resourceVersion?: string; generation?: number; creationTimestamp?: string };
  spec: { state?: string; deletionPolicy?: string; displayName?: string };
  status?: {
    phase?: string;
    schemaVersion?: number;
    conditions?: Condition[];
    teardown?: { backend: string; done: boolean; remaining?: number }[];
  };
}

const KIND = { group: 'hms.dev', version: 'v1', plural: 'hospitals' } as const;
export const CONFIRM_DELETE = 'hms.dev/confirm-delete';

export class Hospitals {
  readonly #api: CustomObjectsApi;
  readonly #server: string;

  constructor(config: KubeConfig) {
    this.#api = config.makeApiClient(CustomObjectsApi);
    this.#server = config.getCurrentCluster()?.server ?? 'the cluster';
  }

  async list(): Promise<Hospital[]> {
    const answer = await this.#ask(this.#api.listClusterCustomObject(KIND));
    return (answer as { items: Hospital[] }).items.map((item) => ({
      ...item,
      apiVersion: 'hms.dev/v1',
      kind: 'Hospital',
    }));
  }

  /** @returns undefined when there is no such hospital. */
  async find(name: string): Promise<Hospital | undefined> {
    try {
      return (await this.#ask(this.#api.getClusterCustomObject({ ...KIND, name }))) as Hospital;
    } catch (error) {
      if (error instanceof Exit && error.code === EXIT.notFound) return undefined;
      throw error;
    }
  }

  async get(name: string): Promise<Hospital> {
    const hospital = await this.find(name);
    if (!hospital) throw new Exit(EXIT.notFound, `there is no hospital ${name}: hmsctl hospital list shows all.`);
    return hospital;
  }

  async apply(manifest: Manifest): Promise<Hospital> {
    const asked = this.#api.patchClusterCustomObject(
      { ...KIND, name: manifest.metadata.name, body: manifest, fieldManager: FIELD_MANAGER, force: true },
      setHeaderOptions('Content-Type', PatchStrategy.ServerSideApply),
    );
    return (await this.#ask(asked)) as Hospital;
  }

  /** Says that a hospital with `deletionPolicy: Delete` may be deleted with all that belongs to it. */
  async confirmDeletion(name: string): Promise<void> {
    await this.#ask(
      this.#api.patchClusterCustomObject(
        { ...KIND, name, body: { metadata: { annotations: { [CONFIRM_DELETE]: name } } }, fieldManager: FIELD_MANAGER },
        setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
      ),
    );
  }

  async delete(name: string): Promise<void> {
    await this.#ask(this.#api.deleteClusterCustomObject({ ...KIND, name }));
  }

  async #ask(asked: Promise<unknown>): Promise<unknown> {
    try {
      return await asked;
    } catch (error) {
      const { code, message } = apiMessage(error);
      if (code === undefined)
        throw new Exit(
          EXIT.failure,
          `${this.#server} can't be reached (${sentence(error)}): is the platform up? hmsctl status shows it.`,
        );
      throw new Exit(code === 404 ? EXIT.notFound : EXIT.failure, message);
    }
  }
}

export function conditionStatus(hospital: Hospital, type: string): string {
  return conditionsOf(hospital).find((condition) => condition.type === type)?.status ?? '-';
}
