/** Pairing of displays, and their tokens. It has the shape of the device grant (RFC 8628). */
import { randomBytes } from 'node:crypto';
import type { Hospital } from '@hms/database';
import {
  CODE_SECONDS,
  type Display,
  displayOf,
  openPairing,
  pair,
  readSecret,
  remakeAccount,
  reported,
  type ShownDisplay,
  signedIn,
  usualVoices,
} from '@hms/domain/displays';
import { admitted, type Platform, Problem, type RequestContext, type Work, workFor } from '@hms/service';
import type { z } from 'zod';
import { openHospitalNamed } from '../hospital.ts';
import type { KeyWatch } from '../key-watch.ts';
import type { Keycloak } from '../keycloak.ts';
import { randomDisplayCode, type Secrets, sha256 } from '../secrets.ts';
import { type DisplayLimits, keyOf, tooMany } from '../sessions/login-limits.ts';
import { AUTHORIZATION_PENDING, DISPLAY_NOT_READY, EXPIRED_TOKEN, TOO_MANY_DISPLAY_CODES } from './displays.errors.ts';
import type { displayReport, displayToken, newDisplay, shownDisplay, started, tokenBody } from './displays.schema.ts';

export interface DisplayDependencies {
  readonly platform: Pick<Platform, 'registry' | 'tenants' | 'sealer'>;
  readonly keycloak: Pick<Keycloak, 'displayToken'>;
  readonly secrets: Secrets;
  readonly limits: DisplayLimits;
  readonly keys: Pick<KeyWatch, 'saw'>;
}

export type DisplayService = ReturnType<typeof displayService>;

/** Seconds between two requests of a display that waits. */
const INTERVAL = 5;
/** A full hospital has room again when its oldest codes expire. */
const FULL_SECONDS = 60;

export function displayService({ platform, keycloak, secrets, limits, keys }: DisplayDependencies) {
  const hospitalOf = (name: string) => openHospitalNamed(platform.registry, name);

  const within = <T>(hospital: Hospital, work: (work: Work) => Promise<T>) =>
    admitted(platform, hospital, () => workFor(platform, hospital, 'display', work));

  const codeHash = (letters: string) => secrets.mac(letters, 'code of a display');

  return {
    /** Gives a display that nobody knows a code to show. */
    async start(name: string, clientAddress: string): Promise<z.output<typeof started>> {
      const hospital = await hospitalOf(name);
      await limits.started(clientAddress);
      const [deviceCode, userCode] = [randomBytes(32).toString('base64url'), randomDisplayCode()];
      const pairing = { secret: sha256(deviceCode), code: codeHash(userCode.replace('-', '')) };
      const hasRoom = await within(hospital, (work) => openPairing(work, pairing));
      if (!hasRoom) throw tooMany(TOO_MANY_DISPLAY_CODES, FULL_SECONDS);
      const verificationUri = `${hospital.portal}/displays/new`;
      return {
        deviceCode,
        userCode,
        verificationUri,
        // The part behind # never reaches a server or its logs.
        verificationUriComplete: `${verificationUri}#${userCode}`,
        expiresIn: CODE_SECONDS,
        interval: INTERVAL,
      };
    },

    /** Makes the display that shows a code one of the caller's hospital. */
    async pair(context: RequestContext, { code, ...values }: Readonly<z.output<typeof newDisplay>>): Promise<Display> {
      const { hospital, caller } = context;
      const key = keyOf(hospital.prefix, caller.sub);
      await limits.entered(key);
      const voices = values.voices ?? [...usualVoices(hospital.settings.language)];
      const display = await pair(context, codeHash(code), { ...values, voices });
      await limits.succeeded(key);
      return display;
    },

    /** Signs a display in with its secret. */
    async token({ hospital: name, deviceCode }: z.output<typeof tokenBody>): Promise<z.output<typeof displayToken>> {
      // Not EXPIRED_TOKEN if it is unknown: the display would ask for another code, and lose its secret.
      const hospital = await hospitalOf(name);
      const { prefix } = hospital;
      const inHospital = <T>(work: (work: Work) => Promise<T>) => within(hospital, work);
      const secret = sha256(deviceCode);
      const found = await inHospital((work) => readSecret(work, secret));
      if (found.kind === 'unknown') throw new Problem(EXPIRED_TOKEN);
      if (found.kind === 'waiting') throw new Problem(AUTHORIZATION_PENDING);
      if (found.accountId === null) throw notReady();
      const { displayId } = found;
      const token = await keycloak.displayToken(prefix, displayId);
      if (!token) {
        // The account is gone, as after the loss of Keycloak's data. The row says that there has to be one.
        await inHospital((work) => remakeAccount(work, displayId));
        throw notReady();
      }
      keys.saw(prefix, token.accessToken);
      const next = secrets.mac(deviceCode, 'next secret of a display').toString('base64url');
      const seen = await inHospital((work) => signedIn(work, displayId, secret, sha256(next)));
      if (!seen) throw new Problem(EXPIRED_TOKEN);
      return { ...token, tokenType: 'Bearer', deviceCode: seen.isReplaced ? next : null };
    },

    /** What the display itself shows. */
    async me(context: RequestContext): Promise<z.output<typeof shownDisplay>> {
      return shown(context.hospital, await displayOf(context, context.caller.sub));
    },

    /** The same, after the display has said how it runs. */
    async report(
      context: RequestContext,
      body: z.output<typeof displayReport>,
    ): Promise<z.output<typeof shownDisplay>> {
      return shown(context.hospital, await reported(context, context.caller.sub, body));
    },
  };
}

function shown(
  hospital: Hospital,
  { display, clinics, notices, identifyMs }: ShownDisplay,
): z.output<typeof shownDisplay> {
  const { id, name, voices } = display;
  return {
    id,
    name,
    clinics: clinics.map((clinic) => ({ id: clinic.id, code: clinic.code, name: clinic.name })),
    hospital: {
      name: hospital.displayName,
      timezone: hospital.timezone,
      language: hospital.settings.language,
      primaryColor: hospital.theme.primaryColor ?? null,
    },
    voices,
    notices: [...notices],
    identifyMs,
  };
}

function notReady(): Problem {
  return new Problem(DISPLAY_NOT_READY, { headers: { 'Retry-After': '2' } });
}
