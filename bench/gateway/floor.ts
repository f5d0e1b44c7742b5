/** The minimum of a proxy in Node: node:http in front and undici behind, which forwards every header and byte. */
import { createServer } from 'node:http';
import { Pool } from 'undici';

const upstream = new Pool(process.argv[2] ?? '', { connections: 1_024 });

const server = createServer((request, response) => {
  upstream.dispatch(
    {
      path: request.url ?? '/',
      method: 'GET',
      headers: request.headers,
    },
    {
      onRequestStart: () => undefined,
      onResponseStart(_controller, status, headers) {
        response.writeHead(status, headers as Record<string, string>);
      },
      onResponseData(_controller, chunk) {
        response.write(chunk);
      },
      onResponseEnd: () => void response.end(),
      onResponseError: (_controller, error) => void response.destroy(error),
    },
  );
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port));
