/** What a login page shows before anybody has logged in. */
import type { Hospital } from '@hms/database';
import {
  type ErrorKind,
  fields,
  HOSPITAL_NOT_READY,
  HOSPITAL_SUSPENDED,
  type Platform,
  Problem,
  type Registry,
  type Route,
  route,
} from '@hms/service';
import { typeOfLogo } from '@hms/storage';
import { z } from 'zod';
import { openRealm } from './places.ts';

export const HOSPITAL_UNKNOWN: ErrorKind = {
  status: 404,
  code: 'HOSPITAL_UNKNOWN',
  message: 'There is no hospital with this name: check the address of the page',
};

/** Seconds. A page stays open for as long as it takes to type a password. */
const LOGO_SECONDS = 3_600;

/** What somebody calls a hospital before anybody has logged in. */
export const hospitalName = fields.line(253).describe('Prefix of the hospital, or one of its hosts');

/** The hospital of that name, whatever its state. */
function hospitalNamed(registry: Pick<Registry, 'byHost' | 'byPrefix'>, name: string) {
  return name.includes('.') ? registry.byHost(name.toLowerCase()) : registry.byPrefix(name);
}

/**
 * The hospital of that name, if people can work in it.
 * @throws Problem HOSPITAL_UNKNOWN, HOSPITAL_SUSPENDED, HOSPITAL_NOT_READY
 */
export async function openHospitalNamed(registry: Pick<Registry, 'byHost' | 'byPrefix'>, name: string) {
  const hospital = await hospitalNamed(registry, name);
  if (!hospital || openRealm(hospital) === undefined) throw new Problem(HOSPITAL_UNKNOWN);
  return hospital;
}

/** What everybody may know of a hospital. */
export const loginPage = z
  .object({
    prefix: z.string(),
    name: z.string(),
    primaryColor: z.string().nullable().describe('Such as #0b7285'),
    logoUrl: z.url().nullable().describe('Works for an hour, in an img element'),
  })
  .meta({ id: 'LoginPage' });

export function hospitalRoute({ registry, storage }: Pick<Platform, 'registry' | 'storage'>): Route {
  return route({
    method: 'GET',
    path: '/api/auth/hospitals/:name',
    operationId: 'readLoginPage',
    summary: 'Name, color and logo of a hospital for its login page',
    access: 'public',
    params: z.object({ name: hospitalName }),
    response: loginPage,
    errors: [HOSPITAL_UNKNOWN, HOSPITAL_SUSPENDED, HOSPITAL_NOT_READY],
    handler: async ({ params: { name } }) => {
      const hospital = await hospitalNamed(registry, name);
      // A suspended hospital is refused too: HOSPITAL_SUSPENDED says what its people can do.
      if (!hospital || openRealm(hospital) === undefined) throw new Problem(HOSPITAL_UNKNOWN);
      return { data: await loginPageOf(hospital, storage) };
    },
  });
}

/** The hospital as its login page shows it. */
export async function loginPageOf(
  hospital: Hospital,
  storage: Platform['storage'],
): Promise<z.output<typeof loginPage>> {
  const { prefix, displayName, theme } = hospital;
  const type = typeOfLogo(theme.logo ?? '');
  const logo =
    theme.logo !== undefined && type !== undefined
      ? await storage.downloadUrl(hospital, theme.logo, {
          fileName: 'logo',
          contentType: type,
          disposition: 'inline',
          expiresIn: LOGO_SECONDS,
        })
      : undefined;
  return { prefix, name: displayName, primaryColor: theme.primaryColor ?? null, logoUrl: logo?.url ?? null };
}
