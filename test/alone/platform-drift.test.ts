/** Manual changes in the engines of the running platform: restored, removed or reported. */
import {
  DeleteObjectCommand,
  GetBucketPolicyCommand,
  HeadObjectCommand,
  PutBucketPolicyCommand,
} from '@aws-sdk/client-s3';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, describe, expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { Engines } from '../support/engines.ts';
import { call, tokenOf } from '../support/gateway.ts';
import {
  annotate,
  deleteHospital,
  eventsOf,
  freshHospital,
  resync,
  whenCondition,
  whenReady,
} from '../support/hospitals.ts';
import { until } from '../support/until.ts';

const SLOW = 120_000;
const { admin } = platform().gateway;

interface Entity {
  readonly id: string;
  readonly name: string;
}

async function platformEntity(collection: string, of: string): Promise<Entity | undefined> {
  const answer = await fetch(`${admin}/services/${of}/${collection}?tags=hms-platform&size=1000`);
  const { data } = (await answer.json()) as { data: Entity[] };
  return data.find(({ name }) => name === (collection === 'plugins' ? 'jwt' : of));
}

const hospital = freshHospital();
afterAll(async () => deleteHospital((await hospital).metadata.name), SLOW);

describe.each(['plugins', 'routes'])("one of the platform's %s", (collection) => {
  it(
    'is restored at the reconcile of any hospital, with an event about the Lease of the operator',
    async () => {
      const { name } = (await hospital).metadata;
      const token = await tokenOf(name, 'DOCTOR');
      const found = await platformEntity(collection, 'hms');
      await fetch(`${admin}/${collection}/${found?.id}`, { method: 'DELETE' });
      expect(await platformEntity(collection, 'hms')).toBeUndefined();
      await resync(name);
      await until(
        'it to be restored',
        () => platformEntity(collection, 'hms'),
        (back) => back?.id === found?.id,
        20_000,
      );
      await until(
        'the hospital to be served',
        () => call('GET', '/api/hms/patients', { token }),
        ({ status }) => status === 200,
      );
      const what = collection === 'plugins' ? 'create plugin jwt of hms' : 'create route hms';
      await until(
        'the event',
        () => eventsOf('hms-operator'),
        (events) => events.some(({ reason, message }) => reason === 'DriftCorrected' && message.includes(what)),
      );
    },
    SLOW,
  );
});

describe('shared parts of the other engines', () => {
  const drift = (what: string) =>
    until(
      'the event',
      () => eventsOf('hms-operator'),
      (events) => events.some(({ reason, message }) => reason === 'DriftCorrected' && message.includes(what)),
      20_000,
    );

  it(
    'are restored when any hospital is reconciled: the bucket, and the realm of the platform',
    async () => {
      const { name } = (await hospital).metadata;
      const engines = new Engines(platform());
      const target = { Bucket: engines.bucket };
      const statement = {
        Effect: 'Allow',
        Principal: '*',
        Action: 's3:GetObject',
        Resource: `arn:aws:s3:::${engines.bucket}/*`,
      };
      const { Policy: own = '{}' } = await engines.s3.send(new GetBucketPolicyCommand(target));
      const { Statement: statements } = JSON.parse(own) as { Statement: readonly object[] };
      const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [...statements, statement] });
      await engines.s3.send(new PutBucketPolicyCommand({ ...target, Policy }));
      await engines.s3.send(new DeleteObjectCommand({ ...target, Key: 'console/' }));
      const keycloak = await engines.keycloak();
      await keycloak.realms.update({ realm: 'console' }, { registrationAllowed: true });
      await resync(name);
      await drift('public policy');
      await drift('folder console/');
      await drift('identity: ');
      // The statements for named accounts stay: the modules' key is one.
      const { Policy: restored = '{}' } = await engines.s3.send(new GetBucketPolicyCommand(target));
      expect(JSON.parse(restored).Statement).toEqual(statements);
      await engines.s3.send(new HeadObjectCommand({ ...target, Key: 'console/' }));
      expect(await keycloak.realms.findOne({ realm: 'console' })).toMatchObject({ registrationAllowed: false });
      await engines.close();
    },
    SLOW,
  );
});

describe('foreign entities in the gateway', () => {
  const send = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(admin + path, { method, ...(body ? { headers, body: JSON.stringify(body) } : {}) });
    return answer.status === 204 ? { id: '' } : ((await answer.json()) as { id: string; data?: readonly Entity[] });
  };
  const metrics = async () => (await fetch(`${platform().operatorUrl}/metrics`)).text();
  const plugins = (count: number) =>
    until('the metric', metrics, (text) => text.includes(`hms_platform_foreign{kind="plugin"} ${count}\n`), 30_000);

  it(
    'are removed if attached to a hospital, and reported otherwise',
    async () => {
      const { name } = (await hospital).metadata;
      const credential = await send('POST', `/consumers/${name}/jwt`, { key: `spy-${name}` });
      const plugin = await send('POST', '/plugins', { name: 'correlation-id' });
      await resync(name);
      await until(
        'the credential to be deleted',
        () => send('GET', `/consumers/${name}/jwt`),
        ({ data }) => data?.length === 1 && data[0]?.id !== credential.id,
        30_000,
      );
      await plugins(1);
      await until(
        'the event',
        () => eventsOf('hms-operator'),
        (events) => events.some(({ reason, message }) => reason === 'ForeignParts' && message.includes(plugin.id)),
      );
      await send('DELETE', `/plugins/${plugin.id}`);
      await resync(name);
      await plugins(0);
    },
    SLOW,
  );
});

describe("a hospital's schema", () => {
  it(
    'makes the hospital unready after a manual change, with the name of the difference, until it is restored',
    async () => {
      const { name } = (await hospital).metadata;
      const { schema } = hospitalNames(name);
      const engines = new Engines(platform());
      await engines.db.raw(`ALTER TABLE ${schema}.families ALTER COLUMN name DROP NOT NULL`);
      await annotate(name, { 'hms.dev/reconcile-requested-at': 'changed' });
      const changed = await whenCondition(name, 'Ready', ({ reason }) => reason === 'SchemaDamaged');
      expect(changed.status?.conditions?.find(({ type }) => type === 'DatabaseReady')).toMatchObject({
        status: 'False',
        message: expect.stringContaining(`column name of table ${schema}.families`),
      });
      await engines.db.raw(`ALTER TABLE ${schema}.families ALTER COLUMN name SET NOT NULL`);
      await annotate(name, { 'hms.dev/reconcile-requested-at': 'undone' });
      await whenReady(name);
      await engines.close();
    },
    SLOW,
  );
});
