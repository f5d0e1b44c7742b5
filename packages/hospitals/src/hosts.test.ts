import { describe, expect, it } from '@jest/globals';
import { hostRules, reservedHost } from './hosts.ts';

const SETTINGS = hostRules({
  BASE_URL: 'https://hms.example',
  PLATFORM_DOMAIN: 'hms.test',
  PORTAL_ORIGIN: 'https://portal.example:8443',
  CONSOLE_ORIGIN: 'https://console.hms.test',
});

describe('reservedHost', () => {
  it.each(['hms.example', 'portal.example', 'console.hms.test', 'hms.test'])(
    'reserves the platform’s host %s',
    (host) => {
      expect(reservedHost(host, 'st-mary', SETTINGS)).toBe(
        `host ${host} is the platform's own: remove it from spec.gateway.hosts`,
      );
    },
  );

  it.each(['auth.hms.test', 'city-general.hms.test', 'portal.city-general.hms.test', 'xst-mary.hms.test'])(
    "reserves names below the platform's domain other than the hospital's own: %s",
    (host) => {
      expect(reservedHost(host, 'st-mary', SETTINGS)).toBe(
        `host ${host} is reserved: below hms.test, hospital st-mary can only have st-mary.hms.test; remove it from spec.gateway.hosts`,
      );
    },
  );

  it.each(['st-mary.hms.test', 'portal.st-mary.hms.test', 'st-mary.example', 'nothms.test'])('allows %s', (host) => {
    expect(reservedHost(host, 'st-mary', SETTINGS)).toBeUndefined();
  });
});
