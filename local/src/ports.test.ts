import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, it } from '@jest/globals';
import {
  DEFAULT_PORTS,
  demandFree,
  freePorts,
  PORT_NAMES,
  portsFrom,
  portVariable,
  takenSentence,
  unmetWishes,
} from './ports.ts';

describe('portsFrom', () => {
  it('takes the defaults, and what the environment changes', () => {
    expect(portsFrom({})).toEqual(DEFAULT_PORTS);
    expect(portsFrom({ HMS_GATEWAY_TLS_PORT: '9443' })).toEqual({ ...DEFAULT_PORTS, gatewayTls: 9443 });
  });

  it.each(['0', '65536', 'http', '80.5'])('refuses %s and names the variable', (value) => {
    expect(() => portsFrom({ HMS_HMS1_PORT: value })).toThrow(/HMS_HMS1_PORT is ".*": write a port/);
  });

  it('refuses one port for two', () => {
    expect(() => portsFrom({ HMS_S3_PORT: String(DEFAULT_PORTS.smtp) })).toThrow(/wanted by .* and by/);
  });

  it('has a variable of its own for each port', () => {
    expect(new Set(PORT_NAMES.map(portVariable)).size).toBe(PORT_NAMES.length);
  });
});

describe('unmetWishes', () => {
  it('are the ports that the environment names and the platform does not have', () => {
    const env = { HMS_GATEWAY_PORT: '9000', HMS_S3_PORT: '', HMS_MAIL_PORT: '11080', HMS_CRM_PORT: '9001' };
    expect(unmetWishes(env, { ...DEFAULT_PORTS, operator: 1 })).toEqual([
      'HMS_GATEWAY_PORT=9000 (it is 8000)',
      'HMS_CRM_PORT=9001 (it is 18111)',
    ]);
  });
});

describe('demandFree', () => {
  it('names the port, who has it, and the variable that changes it', async () => {
    const ports = await freePorts();
    await expect(demandFree(ports, PORT_NAMES)).resolves.toBeUndefined();
    const server = net.createServer().listen(ports.keycloak, '127.0.0.1');
    await once(server, 'listening');
    await expect(demandFree(ports, PORT_NAMES)).rejects.toThrow(
      new RegExp(`Port ${ports.keycloak} \\(keycloak\\) is taken.*HMS_KEYCLOAK_PORT`),
    );
    server.close();
  });
});

describe('takenSentence', () => {
  it('says what to do, with and without knowing the user', () => {
    expect(takenSentence('s3', 17070, 'EADDRINUSE', 'nginx (pid 8)')).toBe(
      'Port 17070 (s3) is taken by nginx (pid 8): end that process, or set HMS_S3_PORT to another port.',
    );
    expect(takenSentence('s3', 17070, 'EADDRINUSE', undefined)).toContain('end the process that listens there');
    expect(takenSentence('s3', 80, 'EACCES', undefined)).toContain('may not be used by this account');
  });
});
