import type { HospitalObject } from '@hms/hospitals';
import {
  type ErrorKind,
  fields,
  foldText,
  listQuery,
  type Platform,
  type Route,
  route,
  STALE_VERSION,
  STORAGE_UNAVAILABLE,
  single,
  TOO_MANY_STREAMS,
} from '@hms/service';
import { z } from 'zod';
import { followCluster, stateOf } from '../cluster/broadcast.ts';
import type { Cluster } from '../cluster/cluster.ts';
import {
  CLUSTER_REFUSED,
  CLUSTER_UNAVAILABLE,
  HOSPITAL_NOT_FOUND,
  PREFIX_RESERVED,
  PREFIX_TAKEN,
} from '../cluster/problems.ts';
import { allHospitals, oneHospital } from './broadcasts.ts';
import { DELETION_NOT_CONFIRMED, HOSPITAL_DELETING, IMAGE_TOO_LARGE, NOT_AN_IMAGE } from './hospitals.errors.ts';
import {
  hospitalChanges,
  hospitalEvent,
  hospitalPreview,
  hospitalSummary,
  managedHospital,
  newHospital,
  hospitalParams as params,
  STATUSES,
} from './hospitals.schema.ts';
import type { HospitalService } from './hospitals.service.ts';
import { LARGEST_LOGO, logoUrl, removeLogo, storeLogo } from './logo.ts';
import { asYaml } from './manifest.ts';
import { detailOf, eventOf, summaryOf, usualSeconds } from './view.ts';

const PATH = '/api/console/hospitals';
const ONE = `${PATH}/:hospital`;
const CLUSTER_ERRORS: readonly ErrorKind[] = [CLUSTER_UNAVAILABLE, CLUSTER_REFUSED];
const CHANGE_ERRORS: readonly ErrorKind[] = [HOSPITAL_NOT_FOUND, STALE_VERSION, ...CLUSTER_ERRORS];

const step = z.object({
  reason: fields.line(500).optional().describe('For the audit log of the platform'),
});

const query = listQuery({
  sort: ['name', 'prefix', 'createdAt'],
  defaultSort: 'name',
  hasSearch: true,
  filters: { status: z.enum(STATUSES) },
});

/** One pixel. */
const SMALLEST_PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const logo = z.object({
  content: z
    .base64()
    .min(1)
    .max(Math.ceil(LARGEST_LOGO / 3) * 4, `must be a file of at most ${LARGEST_LOGO / 1000} kB`)
    .describe('The file in base64: PNG, JPEG or WebP')
    .meta({ examples: [SMALLEST_PNG] }),
});

interface Dependencies {
  readonly service: HospitalService;
  readonly cluster: Cluster;
  readonly storage: Platform['storage'];
}

export function hospitalRoutes({ service, cluster, storage }: Dependencies): readonly Route[] {
  const shown = (hospital: HospitalObject) =>
    single(detailOf(hospital, cluster.contact().asOf, usualSeconds(cluster.hospitals())));
  const changeState = (
    name: 'suspend' | 'resume',
    state: 'Active' | 'Suspended',
    summary: string,
    description: string,
  ) =>
    route({
      method: 'POST',
      path: `${ONE}/${name}`,
      operationId: `${name}Hospital`,
      summary,
      description,
      access: 'hospitals.write',
      database: 'none',
      params,
      body: step,
      response: managedHospital,
      errors: [...CHANGE_ERRORS, HOSPITAL_DELETING],
      handler: async (context) =>
        shown(await service.setState(context, context.params.hospital, state, context.body.reason)),
    });
  return [
    route({
      method: 'GET',
      path: '/api/console/cluster',
      operationId: 'readCluster',
      summary: 'Whether the API server can be reached and an operator works',
      access: 'hospitals.read',
      database: 'none',
      response: z
        .object({
          isReachable: z.boolean(),
          asOf: fields.timestamp.describe('What is shown of hospitals was so then'),
          operatorSilentSince: z.string().nullable().describe('Null while an operator works, or if that is not known'),
        })
        .meta({ id: 'ClusterState' }),
      handler: async () => ({ data: await stateOf(cluster) }),
    }),
    route({
      method: 'GET',
      path: PATH,
      operationId: 'listHospitals',
      summary: 'List hospitals',
      description: 'While the API server can not be reached, they are as last known: see `asOf`.',
      access: 'hospitals.read',
      database: 'none',
      query,
      response: z.array(hospitalSummary),
      paged: true,
      errors: [CLUSTER_UNAVAILABLE],
      handler: async (context) => {
        const { page, limit } = context.query;
        const { asOf } = cluster.contact();
        const all = matching(
          cluster.hospitals().map((hospital) => summaryOf(hospital, asOf)),
          context.query,
        );
        const data = all.slice((page - 1) * limit, page * limit);
        return { data, meta: { page, limit, total: all.length } };
      },
    }),
    route({
      method: 'POST',
      path: PATH,
      operationId: 'createHospital',
      summary: 'Create a hospital',
      description:
        'Creates the Hospital object. The operator then provisions the hospital, usually within seconds: follow its stream.',
      access: 'hospitals.write',
      database: 'none',
      body: newHospital,
      response: managedHospital,
      status: 201,
      errors: [PREFIX_TAKEN, PREFIX_RESERVED, ...CLUSTER_ERRORS],
      handler: async (context) => shown(await service.create(context, context.body)),
    }),
    route({
      method: 'POST',
      path: `${PATH}/preview`,
      operationId: 'previewHospital',
      summary: 'Check a new hospital and see its manifest, without creating it',
      access: 'hospitals.write',
      database: 'none',
      body: newHospital,
      response: hospitalPreview,
      errors: [PREFIX_TAKEN, PREFIX_RESERVED, ...CLUSTER_ERRORS],
      handler: async (context) => {
        const { manifest, returns } = await service.preview(context.body);
        return { data: { manifest: asYaml(manifest), returns } };
      },
    }),
    route({
      method: 'GET',
      path: `${PATH}/stream`,
      operationId: 'followHospitals',
      summary: 'Follow all hospitals as server-sent events',
      description:
        '`hospital` with its summary when it has changed, `removed` at its end, `contact` about the API server and the operator, and `reset` at the start: read the list then.',
      access: 'hospitals.read',
      database: 'none',
      response: z.string().describe('Events, one after the other'),
      contentType: 'text/event-stream',
      errors: [TOO_MANY_STREAMS, CLUSTER_UNAVAILABLE],
      handler: (context) =>
        followCluster(context, cluster, { name: 'hospitals', broadcast: () => allHospitals(cluster) }),
    }),
    route({
      method: 'GET',
      path: ONE,
      operationId: 'readHospital',
      summary: 'Read a hospital with its conditions',
      access: 'hospitals.read',
      database: 'none',
      params,
      response: managedHospital,
      errors: [HOSPITAL_NOT_FOUND, CLUSTER_UNAVAILABLE],
      handler: async (context) => shown(service.find(context.params.hospital)),
    }),
    route({
      method: 'PUT',
      path: ONE,
      operationId: 'changeHospital',
      summary: 'Change a hospital',
      description: 'What is missing stays as it is. With null, the default holds again. Lists are replaced.',
      access: 'hospitals.write',
      database: 'none',
      params,
      body: hospitalChanges,
      response: managedHospital,
      errors: CHANGE_ERRORS,
      handler: async (context) =>
        shown(await service.change(context, context.params.hospital, context.body, context.version)),
    }),
    route({
      method: 'DELETE',
      path: ONE,
      operationId: 'deleteHospital',
      summary: 'Delete a hospital',
      description:
        'With the policy Retain, its data is kept for a hospital with the same prefix. With Delete, everything is lost. Follow its stream until the end.',
      access: 'hospitals.delete',
      database: 'none',
      params,
      query: z.object({
        confirm: z.string().max(63).optional().describe('The prefix of the hospital, as typed by a person'),
        deletionPolicy: z.enum(['Retain', 'Delete']).optional().describe('Default: that of the hospital'),
      }),
      response: z.object({}),
      status: 202,
      errors: [DELETION_NOT_CONFIRMED, ...CHANGE_ERRORS],
      handler: async (context) => {
        const { confirm = '', deletionPolicy } = context.query;
        await service.delete(context, context.params.hospital, { confirm, deletionPolicy, version: context.version });
        return { data: {} };
      },
    }),
    changeState(
      'suspend',
      'Suspended',
      'Suspend a hospital',
      'All access is closed and everybody is logged out within seconds. Everything is kept.',
    ),
    changeState('resume', 'Active', 'Open a suspended hospital again', 'Its people can log in again within seconds.'),
    route({
      method: 'POST',
      path: `${ONE}/retry`,
      operationId: 'retryHospital',
      summary: 'Let the operator try again at once',
      access: 'hospitals.write',
      database: 'none',
      params,
      body: z.object({}),
      response: managedHospital,
      errors: CHANGE_ERRORS,
      handler: async (context) => shown(await service.retry(context, context.params.hospital)),
    }),
    route({
      method: 'GET',
      path: `${ONE}/events`,
      operationId: 'listHospitalEvents',
      summary: 'What the operator reports about a hospital, latest first',
      description: 'The API server keeps events for an hour.',
      access: 'hospitals.read',
      database: 'none',
      params,
      response: z.array(hospitalEvent),
      errors: [HOSPITAL_NOT_FOUND, CLUSTER_UNAVAILABLE],
      handler: async (context) => ({
        data: cluster.eventsOf(service.find(context.params.hospital)).map(eventOf),
      }),
    }),
    route({
      method: 'GET',
      path: `${ONE}/stream`,
      operationId: 'followHospital',
      summary: 'Follow a hospital as server-sent events',
      description:
        '`hospital` with its conditions, `note` for each event of the operator, `removed` at its end, and `contact`. It begins with the present state.',
      access: 'hospitals.read',
      database: 'none',
      params,
      response: z.string().describe('Events, one after the other'),
      contentType: 'text/event-stream',
      errors: [HOSPITAL_NOT_FOUND, TOO_MANY_STREAMS, CLUSTER_UNAVAILABLE],
      handler: async (context) => {
        const { name } = service.find(context.params.hospital).metadata;
        return followCluster(context, cluster, {
          name: `hospital ${name}`,
          broadcast: () => oneHospital(cluster, name),
        });
      },
    }),
    route({
      method: 'GET',
      path: `${ONE}/logo`,
      operationId: 'readHospitalLogo',
      summary: 'Where the logo of a hospital can be loaded',
      access: 'hospitals.read',
      database: 'none',
      params,
      response: z.object({
        url: z.string().nullable().describe('Works for an hour. Null: there is none, or the hospital is suspended'),
      }),
      errors: [HOSPITAL_NOT_FOUND, CLUSTER_UNAVAILABLE],
      handler: async (context) => ({
        data: { url: await logoUrl(storage, service.find(context.params.hospital)) },
      }),
    }),
    route({
      method: 'PUT',
      path: `${ONE}/logo`,
      operationId: 'changeHospitalLogo',
      summary: 'Upload the logo of a hospital',
      access: 'hospitals.write',
      database: 'none',
      params,
      body: logo,
      bodyLimit: 2 * LARGEST_LOGO,
      response: managedHospital,
      errors: [...CHANGE_ERRORS, NOT_AN_IMAGE, IMAGE_TOO_LARGE, STORAGE_UNAVAILABLE],
      handler: async (context) => {
        const before = service.find(context.params.hospital);
        const key = await storeLogo(storage, before, context.body.content);
        const changed = await service.change(context, before.metadata.name, { theme: { logo: key } }, context.version);
        const former = before.spec.theme?.logo;
        // A file that stays is a few kilobytes.
        if (former !== key)
          await removeLogo(storage, before, former).catch((error) =>
            context.log.warn({ error }, 'a former logo stays'),
          );
        return shown(changed);
      },
    }),
  ];
}

type Summary = z.output<typeof hospitalSummary>;

function matching(hospitals: readonly Summary[], { q, filters, sort }: z.output<typeof query>): readonly Summary[] {
  const words = foldText(q ?? '')
    .split(/\s+/)
    .filter(Boolean);
  const found = hospitals.filter(
    ({ name, prefix, status }) =>
      (filters.status === undefined || filters.status === status) &&
      words.every((word) => foldText(`${name} ${prefix}`).includes(word)),
  );
  const [{ field, descending } = { field: 'name', descending: false }] = sort;
  const key = field as 'name' | 'prefix' | 'createdAt';
  const sign = descending ? -1 : 1;
  return found.toSorted(
    (one, other) => sign * (ORDER.compare(one[key], other[key]) || ORDER.compare(one.prefix, other.prefix)),
  );
}

const ORDER = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
