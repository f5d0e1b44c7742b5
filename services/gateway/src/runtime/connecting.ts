import { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { TimedOut } from '../proxy/timeouts.ts';

/** Connects to services within their `connect_timeout`, to the millisecond. */
export function connectWithin(ms: number, options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector({ ...options, timeout: 0, allowH2: false });
  return (target, callback) => {
    // It returns the socket, which its type does not declare.
    const socket: unknown = connect(target, (...result) => {
      clearTimeout(timer);
      callback(...result);
    });
    const timer = setTimeout(() => {
      if (socket instanceof Socket) socket.destroy(new TimedOut('No connection in time'));
    }, ms);
  };
}
