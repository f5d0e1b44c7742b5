/**
 * `database-tls [--verify] <host> <port>`: ends with 0 if the PostgreSQL there speaks TLS. Kong itself falls back to
 * plain text with a server that does not, so its pods run this first. `--verify` also verifies the certificate, as Kong
 * then does.
 */
import { parseArgs } from 'node:util';
import { exitOnSignal } from '../signals.ts';
import { reach } from './reach.ts';

exitOnSignal();
const { values, positionals } = parseArgs({
  options: { verify: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [host = '', port = ''] = positionals;
const { findings } = await reach('database', { host, port: Number(port), tls: 'postgres', unchecked: !values.verify });
const failure = findings.find(({ status }) => status === 'failed');
if (failure) {
  process.stderr.write(`${failure.name} at ${host}:${port}: ${failure.observed}\n→ ${failure.remedy}\n`);
  process.exitCode = 1;
}
