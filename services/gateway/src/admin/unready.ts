import type { IncomingMessage, ServerResponse } from 'node:http';
import { SERVER } from '../identity.ts';

/** Answers for a gateway that runs but has no configuration yet, as Kong does without its database. */
export function answerUnready(request: IncomingMessage, response: ServerResponse): void {
  const isStatus = request.url?.split('?')[0] === '/status';
  const body = JSON.stringify(
    isStatus ? { database: { reachable: false } } : { message: 'failed to connect to database' },
  );
  response.writeHead(isStatus ? 200 : 503, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Server: SERVER,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
  request.resume();
}
