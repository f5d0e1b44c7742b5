/**
 * Thousands of clients in one process, with raw sockets, so that they use little of the machine's capacity. A client
 * whose stream ends comes back after the time that the last `retry` names.
 */
import { connect, type Socket } from 'node:net';

/** From the parent process. */
export type Order =
  | {
      readonly open: string;
      readonly ports: readonly number[];
      readonly requests: readonly string[];
      readonly count: number;
    }
  | { readonly close: string }
  /** Report when all of these clients have seen this revision. */
  | { readonly watch: string; readonly revision: number };

/** To it. Times are those of the monotonic clock, in ns. */
export type Report =
  | { readonly opened: string }
  | { readonly seen: number; readonly lastAt: string }
  | { readonly back: string; readonly returns: readonly number[] };

interface Group {
  isOpen: boolean;
  readonly sockets: Set<Socket>;
  readonly revisions: number[];
  missing: number;
  watched: number;
  /** When each client that had lost its stream had another one, in ms after the loss of the first. */
  returns: number[];
  away: number;
  lostAt: number;
}

const groups = new Map<string, Group>();
const report = (sent: Report) => process.send?.(sent);
const MARK = 'id: ';
/** In ms, before a stream has said another time. */
const RETRY = 3_000;
/** Bytes. What says when to come back is shorter. */
const SHORT = 100;

process.on('message', (order: Order) => {
  if ('open' in order) void open(order);
  else if ('close' in order) close(order.close);
  else watch(order.watch, order.revision);
});

async function open({ open: name, ports, requests, count }: Extract<Order, { open: string }>): Promise<void> {
  const group: Group = {
    ...{ isOpen: true, revisions: Array.from({ length: count }, () => -1), missing: 0, watched: -1 },
    ...{ returns: [], away: 0, lostAt: 0, sockets: new Set() },
  };
  groups.set(name, group);
  let next = 0;
  const opener = async () => {
    while (next < count) {
      const index = next++;
      await stream(name, group, index, ports[index % ports.length] ?? 0, requests[index % requests.length] ?? '');
    }
  };
  await Promise.all(Array.from({ length: 64 }, opener));
  report({ opened: name });
}

/** Resolves when the first message is there. */
function stream(name: string, group: Group, index: number, port: number, request: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isLost = false;
  const begin = () => {
    const socket = connect({ port, host: '127.0.0.1' });
    let retry = RETRY;
    let isFirst = true;
    socket.once('connect', () => socket.write(request));
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      if (isFirst || bytes.length < SHORT) retry = retryIn(bytes) ?? retry;
      const at = bytes.lastIndexOf(MARK);
      if (at < 0) return;
      const revision = Number.parseInt(bytes.toString('latin1', at + MARK.length, at + MARK.length + 15), 10);
      if (revision === group.watched && group.revisions[index] !== revision) seen(group);
      group.revisions[index] = revision;
      if (!isFirst) return;
      isFirst = false;
      if (isLost) returned(name, group);
      isLost = false;
      resolve();
    });
    socket.once('close', () => {
      group.sockets.delete(socket);
      if (!group.isOpen) return;
      if (!isFirst) {
        isLost = true;
        lost(group);
      }
      setTimeout(begin, retry);
    });
    group.sockets.add(socket);
  };
  begin();
  return promise;
}

function retryIn(bytes: Buffer): number | undefined {
  const at = bytes.lastIndexOf('retry: ');
  return at < 0 ? undefined : Number.parseInt(bytes.toString('latin1', at + 7, at + 14), 10);
}

function lost(group: Group): void {
  if (group.away === 0 && group.returns.length === 0) group.lostAt = performance.now();
  group.away += 1;
}

function returned(name: string, group: Group): void {
  group.away -= 1;
  group.returns.push(performance.now() - group.lostAt);
  if (group.away > 0) return;
  report({ back: name, returns: group.returns });
  group.returns = [];
}

function watch(name: string, revision: number): void {
  const group = groups.get(name);
  if (!group) return;
  group.watched = revision;
  group.missing = group.revisions.filter((one) => one !== revision).length;
  if (group.missing === 0) done(group);
}

function seen(group: Group): void {
  group.missing -= 1;
  if (group.missing === 0) done(group);
}

function done(group: Group): void {
  report({ seen: group.watched, lastAt: String(process.hrtime.bigint()) });
}

function close(name: string): void {
  const group = groups.get(name);
  if (!group) return;
  group.isOpen = false;
  for (const socket of group.sockets) socket.destroy();
  groups.delete(name);
}
