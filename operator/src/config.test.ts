import { describe, expect, it } from '@jest/globals';
import { readConfig, seconds } from './config.ts';

const ENV = {
  BASE_URL: 'http://localhost:8000/',
  PLATFORM_DOMAIN: 'localhost',
  PORTAL_ORIGIN: 'http://localhost:8000',
  CONSOLE_ORIGIN: 'http://console.localhost:8000',
  KEYCLOAK_URL: 'http://127.0.0.1:8180/auth',
  KEYCLOAK_CLIENT_SECRET: 's',
  AUTH_JWKS_URL: 'http://127.0.0.1:18121/.well-known/jwks.json',
  DATABASE_URL: 'postgres://hms_operator@127.0.0.1:15432/hms',
  S3_ENDPOINT: 'http://127.0.0.1:17070',
  S3_ACCESS_KEY_ID: 'a',
  S3_SECRET_ACCESS_KEY: 'b',
  KONG_ADMIN_URL: 'http://127.0.0.1:8001',
  KONG_PROXY_URL: 'http://127.0.0.1:8000',
  KONG_METRICS_ADDRESS: '127.0.0.1:8001',
  MODULE_TARGETS: 'hms=127.0.0.1:18101,127.0.0.1:18102;crm=127.0.0.1:18111',
  SMTP_HOST: '127.0.0.1',
  SMTP_FROM: 'no-reply@hms.example',
};

describe('readConfig', () => {
  it('reads the environment and fills in defaults', () => {
    expect(readConfig(ENV)).toMatchObject({
      BASE_URL: 'http://localhost:8000',
      MODULE_TARGETS: { hms: ['127.0.0.1:18101', '127.0.0.1:18102'], crm: ['127.0.0.1:18111'] },
      RESYNC_INTERVAL: 600,
      S3_BUCKET: 'hms',
    });
  });

  it.each([
    [{ BASE_URL: 'localhost' }, /BASE_URL/],
    [{ MODULE_TARGETS: 'hsm=127.0.0.1:1' }, /MODULE_TARGETS: "hsm=127.0.0.1:1" is not <module>=<host:port>/],
    [{ RESYNC_INTERVAL: 'often' }, /RESYNC_INTERVAL: write a time like 10m/],
    [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL/],
    [{ LEASE_SECONDS: '1.5' }, /LEASE_SECONDS/],
    [{ SMTP_TLS: 'tls' }, /SMTP_TLS/],
    [{ SMTP_TLS: 'starttls', SMTP_USER: 'hms' }, /right: SMTP_PASSWORD is not set/],
  ])('names the invalid variable: %j', (wrong, sentence) => {
    expect(() => readConfig({ ...ENV, ...wrong })).toThrow(sentence);
  });
});

describe('seconds', () => {
  it.each([
    ['10m', 600],
    ['1h30m', 5400],
    ['90s', 90],
  ])('reads %s', (text, expected) => {
    expect(seconds(text)).toBe(expected);
  });
});
