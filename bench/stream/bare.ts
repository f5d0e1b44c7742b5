/**
 * The minimum of a server of boards: one connection that listens, one query for each notice, and node:http. It knows
 * neither tokens nor hospitals.
 */
import { createServer, type ServerResponse } from 'node:http';
import pg from 'pg';

const client = new pg.Client({ connectionString: process.argv[2] ?? '' });
const open = new Set<ServerResponse>();
let last = Buffer.alloc(0);

async function read(): Promise<void> {
  const { rows } = await client.query('SELECT revision, board FROM bench_board');
  last = Buffer.from(`id: ${rows[0]?.revision}\ndata: ${rows[0]?.board}\n\n`);
}

client.on('notification', async () => {
  await read();
  for (const response of open) response.write(last);
});
await client.connect();
await client.query('LISTEN bench_board');
await read();

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(last);
  open.add(response);
  response.on('close', () => open.delete(response));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port));
