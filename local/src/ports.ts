/** The ports of the platform on one machine. All of them listen only on 127.0.0.1. */
import { randomInt } from 'node:crypto';
import net from 'node:net';
import { MODULES, type ProcessName } from '@hms/tenancy';
import { codeOf, Problem } from './problem.ts';
import { listenerOf } from './process/table.ts';

const ENGINE_PORTS = {
  gateway: 8000,
  gatewayTls: 8443,
  gatewayAdmin: 8001,
  keycloak: 8180,
  keycloakManagement: 8181,
  postgres: 15432,
  kubernetes: 16443,
  etcd: 12479,
  etcdPeer: 12480,
  s3: 17070,
  smtp: 11025,
  mail: 11080,
  operator: 18080,
  web: 18091,
} as const;

/** A process of a module has one port, with the name of the process. */
export type PortName = keyof typeof ENGINE_PORTS | ProcessName;
export type Ports = Readonly<Record<PortName, number>>;

export const DEFAULT_PORTS = Object.assign({}, ENGINE_PORTS, ...MODULES.map(({ processes }) => processes)) as Ports;

export const PORT_NAMES = Object.keys(DEFAULT_PORTS) as PortName[];

/** Environment variable that changes a port: `gatewayTls` is HMS_GATEWAY_TLS_PORT, `hms-1` is HMS_HMS1_PORT. */
export function portVariable(name: PortName): string {
  return `HMS_${name
    .replace('-', '')
    .replace(/[A-Z]/g, (letter) => `_${letter}`)
    .toUpperCase()}_PORT`;
}

/** The default ports, overridden by the environment. */
export function portsFrom(env: NodeJS.ProcessEnv): Ports {
  const ports: Record<PortName, number> = { ...DEFAULT_PORTS };
  for (const name of PORT_NAMES) {
    const value = env[portVariable(name)];
    if (value === undefined || value === '') continue;
    const port = Number(value);
    if (!Number.isInteger(port) || port < 1 || port > 65535) {
      throw new Problem(`${portVariable(name)} is "${value}": write a port from 1 to 65535.`);
    }
    ports[name] = port;
  }
  const byNumber = new Map<number, PortName>();
  for (const name of PORT_NAMES) {
    const other = byNumber.get(ports[name]);
    if (other)
      throw new Problem(`Port ${ports[name]} is set for ${other} and for ${name}: change ${portVariable(name)}.`);
    byNumber.set(ports[name], name);
  }
  return ports;
}

/** Ports of the environment that differ from a running platform, such as `HMS_GATEWAY_PORT=9000 (it is 8000)`. */
export function unmetWishes(env: NodeJS.ProcessEnv, running: Ports): string[] {
  const wanted = portsFrom(env);
  return PORT_NAMES.filter((name) => env[portVariable(name)] && wanted[name] !== running[name]).map(
    (name) => `${portVariable(name)}=${wanted[name]} (it is ${running[name]})`,
  );
}

/** Below the ports that Linux uses for outgoing connections (32768 to 60999), which may become occupied at any time. */
const FREE_PORTS = { first: 20_000, count: 12_000 } as const;

/** Different free ports. They are held until all are found. */
export async function freePorts(): Promise<Ports> {
  const servers = await Promise.all(PORT_NAMES.map(async (name) => ({ name, server: await listenOnFreePort() })));
  const ports = Object.fromEntries(
    servers.map(({ name, server }) => [name, (server.address() as net.AddressInfo).port]),
  );
  await Promise.all(servers.map(({ server }) => close(server)));
  return ports as Record<PortName, number>;
}

async function listenOnFreePort(): Promise<net.Server> {
  for (;;) {
    try {
      return await listen(FREE_PORTS.first + randomInt(FREE_PORTS.count));
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') throw error;
    }
  }
}

/** Throws if ports are in use, with their users and what to do. */
export async function demandFree(ports: Ports, names: readonly PortName[]): Promise<void> {
  const inUse: string[] = [];
  for (const name of names) {
    try {
      await close(await listen(ports[name]));
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined) throw error;
      inUse.push(inUseMessage(name, ports[name], code, listenerOf(ports[name])));
    }
  }
  if (inUse.length === 0) return;
  const more =
    inUse.length > SHOWN
      ? [`${inUse.length - SHOWN} more ports are in use; is another platform running, from another folder?`]
      : [];
  throw new Problem([...inUse.slice(0, SHOWN), ...more].join('\n'));
}

/** Ports in use that are listed individually. */
const SHOWN = 3;

/** Exported for tests. @param user the process that listens there, if known. */
export function inUseMessage(name: PortName, port: number, code: string, user: string | undefined): string {
  const change = `set ${portVariable(name)} to another port`;
  if (code === 'EACCES') return `Port ${port} (${name}) may not be used by this account: ${change}.`;
  if (code !== 'EADDRINUSE') return `Port ${port} (${name}) can't be listened on (${code}): ${change}.`;
  return user
    ? `Port ${port} (${name}) is in use by ${user}: end that process, or ${change}.`
    : `Port ${port} (${name}) is in use: end the process that listens there, or ${change}.`;
}

function listen(port: number): Promise<net.Server> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

function close(server: net.Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
