/** The Hospital resource at a real API server: what it accepts, what it refuses, and with which message. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PATCH } from '@hms/kubernetes';
import { DEFAULT_SETTINGS } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { applyHospital, deleteHospital, freshPrefix, HOSPITALS, kubernetes, whenReady } from '../support/hospitals.ts';

const CRDS = join(import.meta.dirname, '../../crds');
const files = (folder: string) => readdirSync(join(CRDS, folder)).map((file) => join(CRDS, folder, file));

const read = (file: string) => parse(readFileSync(file, 'utf8'));
const dryRun = (body: unknown) => kubernetes().request('POST', HOSPITALS, { query: { dryRun: 'All' }, body });

describe('samples', () => {
  it.each(files('samples'))('%s is accepted', async (file) => {
    // A hospital with the sample's own name may exist.
    const body = { ...read(file), metadata: { name: freshPrefix() } };
    await expect(dryRun(body)).resolves.toMatchObject({
      spec: {
        state: 'Active',
        deletionPolicy: 'Retain',
        settings: { ...DEFAULT_SETTINGS, ...read(file).spec.settings },
      },
    });
  });
});

describe('manifests that must be refused', () => {
  it.each(files('refused'))('%s is refused with its message', async (file) => {
    const [, message = 'no message in the file'] = /^# Expected message: (.+)$/m.exec(readFileSync(file, 'utf8')) ?? [];
    const refusal: unknown = await dryRun(read(file)).then(
      () => 'it was accepted',
      (error: Error) => error.message,
    );
    expect(refusal).toContain(message);
  });
});

describe('the definition', () => {
  interface Schema {
    readonly description?: string;
    readonly properties?: Readonly<Record<string, Schema>>;
  }
  const undescribed = (schema: Schema, path: string): string[] =>
    Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
      ...(field.description ? [] : [`${path}.${name}`]),
      ...undescribed(field, `${path}.${name}`),
    ]);

  it.each(['hospitals', 'orphans', 'platforms'])('describes every field of %s for kubectl explain', (plural) => {
    const { spec } = parse(readFileSync(join(CRDS, `${plural}.hms.dev.yaml`), 'utf8'));
    const { properties } = spec.versions[0].schema.openAPIV3Schema as Required<Schema>;
    expect(undescribed(properties.spec ?? {}, 'spec')).toEqual([]);
    expect(undescribed(properties.status ?? {}, 'status')).toEqual([]);
  });

  it.each(['hospitals.hms.dev', 'orphans.hms.dev', 'platforms.hms.dev'])(
    "of %s can't be deleted, with an annotation neither, because all objects would be deleted too",
    async (name) => {
      const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
      const remove = () => kubernetes().request('DELETE', path, { query: { dryRun: 'All' } });
      const annotate = (value: string | null) =>
        kubernetes().request('PATCH', path, {
          contentType: PATCH.merge,
          body: { metadata: { annotations: { 'hms.dev/confirm-delete': value } } },
        });
      await annotate(name);
      await expect(remove()).rejects.toThrow('kubectl delete validatingadmissionpolicybinding definitions.hms.dev');
      await annotate(null);
    },
  );

  it('lets the writer of the status remove a host that somebody else added', async () => {
    const name = freshPrefix();
    const spec = { displayName: 'Status' };
    const annotations = { 'hms.dev/paused': 'true' };
    await kubernetes().request('POST', HOSPITALS, {
      body: { apiVersion: 'hms.dev/v1', kind: 'Hospital', metadata: { name, annotations }, spec },
    });
    const path = `${HOSPITALS}/${name}/status`;
    const write = (hosts: readonly string[]) =>
      kubernetes().request<{ status: object }>('PATCH', path, {
        query: { fieldManager: 'test', force: true },
        contentType: PATCH.apply,
        body: { apiVersion: 'hms.dev/v1', kind: 'Hospital', metadata: { name }, status: { hosts } },
      });
    await write(['own.example']);
    await kubernetes().request('PATCH', path, {
      contentType: PATCH.merge,
      body: { status: { hosts: ['own.example', 'other.example'] } },
    });
    expect(await write(['own.example'])).toMatchObject({ status: { hosts: ['own.example'] } });
    await deleteHospital(name);
  });

  it('accepts every time zone of this Node', async () => {
    const zones = Intl.supportedValuesOf('timeZone').filter((zone) => /^(Africa|America|Asia|Europe)\//.test(zone));
    const text = readFileSync(join(CRDS, 'hospitals.hms.dev.yaml'), 'utf8');
    expect(zones.filter((zone) => !text.includes(`'${zone}'`))).toEqual([]);
  });

  it('makes a hospitalId immutable once it is set', async () => {
    const name = freshPrefix();
    const hospitalId = '0196f3a2-5c1e-7d3b-9a44-6f0b7a1c2d3e'.replace(/^.{8}/, name.slice(1, 9));
    await applyHospital(name, { hospitalId });
    const { status } = await whenReady(name);
    expect(status?.hospitalId).toBe(hospitalId);
    await expect(applyHospital(name, {})).rejects.toThrow(/hospitalId can't be changed or removed/);
    await deleteHospital(name);
  }, 90_000);

  it('accepts only its own hospitalId for a running hospital', async () => {
    const name = freshPrefix();
    const another = '0196f3a2-5c1e-7d3b-9a44-6f0b7a1c2d3e';
    await applyHospital(name);
    const own = (await whenReady(name)).status?.hospitalId ?? '';
    await expect(applyHospital(name, { hospitalId: another })).rejects.toThrow(
      `every record of the hospital has hospitalId ${own}: write that value or omit`,
    );
    await expect(applyHospital(name, { hospitalId: own })).resolves.toMatchObject({ spec: { hospitalId: own } });
    await expect(applyHospital(name, { hospitalId: another })).rejects.toThrow(/can't be changed or removed/);
    await deleteHospital(name);
  }, 90_000);

  it('accepts time zones without a continent', async () => {
    const spec = { displayName: 'Good Hope Hospital', timezone: 'US/Eastern' };
    const body = { apiVersion: 'hms.dev/v1', kind: 'Hospital', metadata: { name: freshPrefix() }, spec };
    const accepted = kubernetes().request('POST', HOSPITALS, { query: { dryRun: 'All' }, body });
    await expect(accepted).resolves.toMatchObject({ spec: { timezone: 'US/Eastern' } });
  });
});

describe.each(['hms.dev/confirm-delete', 'hms.dev/force-finalize'])('%s', (request) => {
  const name = freshPrefix();
  const path = `${HOSPITALS}/${name}`;
  const spec = { displayName: 'Repository' };
  const manifest = (annotations: Readonly<Record<string, string | null>>) => ({
    ...{ apiVersion: 'hms.dev/v1', kind: 'Hospital', spec },
    metadata: { name, annotations: { 'hms.dev/paused': 'true', ...annotations } },
  });
  const apply = (annotations: Readonly<Record<string, string>>) =>
    kubernetes().request('PATCH', path, {
      query: { fieldManager: 'argocd-controller', force: true },
      contentType: PATCH.apply,
      body: manifest(annotations),
    });
  const merge = (body: object) => kubernetes().request('PATCH', path, { contentType: PATCH.merge, body });
  const refusal = `remove ${request} from the manifest`;

  it('is refused in a manifest, however it is applied, and accepted from a person', async () => {
    await expect(apply({ [request]: name })).rejects.toThrow(refusal);
    await apply({});
    await expect(apply({ [request]: name })).rejects.toThrow(refusal);
    // What kubectl apply sends: the annotation, and the whole manifest in one of its own.
    const applied = JSON.stringify(manifest({ [request]: name }));
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': applied, [request]: name };
    await expect(merge({ metadata: { annotations } })).rejects.toThrow(refusal);
    // What kubectl annotate, hmsctl and the console send.
    await merge({ metadata: { annotations: { [request]: name } } });
    // While it holds, the manifest without it is applied as before, and so is any other change.
    await expect(apply({})).resolves.toMatchObject({ metadata: { annotations: { [request]: name } } });
    await merge({ spec: { displayName: 'Changed' } });
    await merge(manifest({ [request]: null }));
    await deleteHospital(name);
  });
});
