import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, it } from '@jest/globals';
import {
  DEFAULT_PORTS,
  demandFree,
  freePorts,
  inUseMessage,
  PORT_NAMES,
  portsFrom,
  portVariable,
  unmetWishes,
} from './ports.ts';

describe('portsFrom', () => {
  it('returns the defaults, overridden by the environment', () => {
    expect(portsFrom({})).toEqual(DEFAULT_PORTS);
    expect(portsFrom({ HMS_GATEWAY_TLS_PORT: '9443' })).toEqual({ ...DEFAULT_PORTS, gatewayTls: 9443 });
  });

  it.each(['0', '65536', 'http', '80.5'])('refuses %s and names the variable', (value) => {
    expect(() => portsFrom({ HMS_HMS1_PORT: value })).toThrow(/HMS_HMS1_PORT is ".*": write a port/);
  });

  it('refuses the same port for two listeners', () => {
    expect(() => portsFrom({ HMS_S3_PORT: String(DEFAULT_PORTS.smtp) })).toThrow(/is set for .* and for/);
  });

  it('has a variable for each port', () => {
    expect(new Set(PORT_NAMES.map(portVariable)).size).toBe(PORT_NAMES.length);
  });
});

describe('unmetWishes', () => {
  it('are the ports of the environment that differ from the running platform', () => {
    const env = { HMS_GATEWAY_PORT: '9000', HMS_S3_PORT: '', HMS_MAIL_PORT: '11080', HMS_CRM_PORT: '9001' };
    expect(unmetWishes(env, { ...DEFAULT_PORTS, operator: 1 })).toEqual([
      'HMS_GATEWAY_PORT=9000 (it is 8000)',
      'HMS_CRM_PORT=9001 (it is 18111)',
    ]);
  });
});

describe('demandFree', () => {
  it('names the port, its user, and the variable that changes it', async () => {
    const ports = await freePorts();
    await expect(demandFree(ports, PORT_NAMES)).resolves.toBeUndefined();
    const server = net.createServer().listen(ports.keycloak, '127.0.0.1');
    await once(server, 'listening');
    await expect(demandFree(ports, PORT_NAMES)).rejects.toThrow(
      new RegExp(`Port ${ports.keycloak} \\(keycloak\\) is in use.*HMS_KEYCLOAK_PORT`),
    );
    server.close();
  });
});

describe('inUseMessage', () => {
  it('says what to do, with and without a known user', () => {
    expect(inUseMessage('s3', 17070, 'EADDRINUSE', 'nginx (pid 8)')).toBe(
      'Port 17070 (s3) is in use by nginx (pid 8): end that process, or set HMS_S3_PORT to another port.',
    );
    expect(inUseMessage('s3', 17070, 'EADDRINUSE', undefined)).toContain('end the process that listens there');
    expect(inUseMessage('s3', 80, 'EACCES', undefined)).toContain('may not be used by this account');
  });
});
