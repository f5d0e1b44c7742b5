/** For tests: writes nothing, and seals one hospital's audit log again and again, until it is killed. */
import { connect, openTenantPool } from '@hms/database';
import { Sealer } from '../audit/sealer.ts';
import { createLog } from '../log.ts';

const [url = '', id = '', prefix = ''] = process.argv.slice(2);
const db = connect(url, { poolSize: 1 });
const tenants = openTenantPool(url, { poolSize: 2 });
const sealer = new Sealer({ db, tenants, log: createLog('sealer', 'warn'), delay: 100 });
setInterval(() => sealer.wrote({ id, prefix }), 100);
