/** The upstream of the proxies: a small response, an endless stream of events, and a sink for bodies. */
import { createServer } from 'node:http';

const SMALL = Buffer.from(JSON.stringify({ success: true, data: 'x'.repeat(1000) }));

const server = createServer((request, response) => {
  if (request.url?.endsWith('/events')) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: opened\n\n');
    return;
  }
  if (request.method === 'PUT') {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on('end', () => response.end(String(bytes)));
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': SMALL.length }).end(SMALL);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port));
