/** Reads the parts of a hospital in each engine, as its administrator. */
import { HeadObjectCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { connect, findHospitalByPrefix, type Hospital } from '@hms/database';
import { keycloakAdmin, type PlatformState } from '@hms/local';
import { hospitalNames } from '@hms/tenancy';
import type KcAdminClient from '@keycloak/keycloak-admin-client';
import type { Knex } from 'knex';

/** The parts of a hospital in each engine. All false or 0 if there are none. */
export interface Traces {
  readonly realm: boolean;
  readonly objects: number;
  readonly schema: boolean;
  readonly role: boolean;
  readonly row: boolean;
  readonly entities: number;
}

export const NOTHING: Traces = { realm: false, objects: 0, schema: false, role: false, row: false, entities: 0 };

export class Engines {
  readonly db: Knex;
  readonly s3: S3Client;
  readonly bucket: string;
  readonly #state: PlatformState;

  constructor(state: PlatformState) {
    this.#state = state;
    this.db = connect(state.databaseUrls.operator, { poolSize: 2, applicationName: 'test' });
    this.bucket = state.s3.bucket;
    this.s3 = new S3Client({
      endpoint: state.s3.endpoint,
      region: state.s3.region,
      forcePathStyle: true,
      credentials: { accessKeyId: state.s3.accessKeyId, secretAccessKey: state.s3.secretAccessKey },
    });
  }

  keycloak(): Promise<KcAdminClient> {
    return keycloakAdmin(this.#state.keycloakUrl, this.#state.keycloakAdmin);
  }

  /** Gateway entities of a hospital. */
  async tagged(collection: string, prefix: string): Promise<{ id: string; name?: string }[]> {
    const url = `${this.#state.gateway.admin}/${collection}?tags=${hospitalNames(prefix).tag}&size=1000`;
    return ((await (await fetch(url)).json()) as { data: { id: string; name?: string }[] }).data;
  }

  /** Adds a key with a higher priority, which signs from now on. */
  async rotateKey(realm: string, priority = 200): Promise<void> {
    const admin = await this.keycloak();
    const parentId = (await admin.realms.findOne({ realm }))?.id ?? '';
    await admin.components.create({
      realm,
      name: 'rotated',
      parentId,
      providerId: 'rsa-generated',
      providerType: 'org.keycloak.keys.KeyProvider',
      config: {
        priority: [String(priority)],
        enabled: ['true'],
        active: ['true'],
        keySize: ['2048'],
        algorithm: ['RS256'],
      },
    });
  }

  row(prefix: string): Promise<Hospital | undefined> {
    return findHospitalByPrefix(this.db, prefix);
  }

  /** The hospital ID in the mark of a hospital's folder. */
  async ownerOfFolder(prefix: string): Promise<string | undefined> {
    const { Metadata } = await this.s3.send(new HeadObjectCommand({ Bucket: this.bucket, Key: `${prefix}/` }));
    return Metadata?.['hospital-id'];
  }

  async traces(prefix: string): Promise<Traces> {
    const { schema, role } = hospitalNames(prefix);
    const collections = ['consumers', 'jwts', 'acls', 'routes', 'plugins'];
    const [realm, objects, { rows }, row, entities] = await Promise.all([
      this.keycloak().then((admin) => admin.realms.findOne({ realm: prefix })),
      this.s3.send(new ListObjectVersionsCommand({ Bucket: this.bucket, Prefix: `${prefix}/` })),
      this.db.raw<{ rows: { schema: boolean; role: boolean }[] }>(
        'SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = ?) AS schema, EXISTS (SELECT FROM pg_roles WHERE rolname = ?) AS role',
        [schema, role],
      ),
      this.row(prefix),
      Promise.all(collections.map((collection) => this.tagged(collection, prefix))),
    ]);
    return {
      realm: Boolean(realm),
      objects: (objects.Versions?.length ?? 0) + (objects.DeleteMarkers?.length ?? 0),
      schema: rows[0]?.schema ?? false,
      role: rows[0]?.role ?? false,
      row: row !== undefined,
      entities: entities.flat().length,
    };
  }

  async close(): Promise<void> {
    this.s3.destroy();
    await this.db.destroy();
  }
}
