/** audit verify: whether somebody changed a hospital's audit log. */
import { type AuditVerification, findHospitalByPrefix, listHospitals, verifyHospitalAudit } from '@hms/database';
import { Command } from 'commander';
import { EXIT, Exit } from '../exit.ts';
import { examples, globals, hospitalPrefix } from '../options.ts';
import { print } from '../output.ts';
import { databaseHelp, withDatabase } from '../platform-database.ts';

type Verified = AuditVerification & { readonly hospital: string };

export function auditCommand(): Command {
  const audit = new Command('audit')
    .description('the audit logs of hospitals')
    .addHelpText('after', examples('hmsctl audit verify', 'hmsctl audit verify st-mary -o json'));
  audit.addCommand(verifyCommand());
  return audit;
}

function verifyCommand(): Command {
  return new Command('verify')
    .description('check that nobody changed, deleted or cut off audit events; ends with 1 if somebody did')
    .argument('[prefix]', 'only this hospital', hospitalPrefix)
    .addHelpText('after', databaseHelp('audit verify') + examples('hmsctl audit verify st-mary'))
    .action(async (prefix: string | undefined, _options, command: Command) => {
      const verified = await verify(prefix);
      print(verified, globals(command).output, rows);
      const changed = verified.filter(({ findings }) => findings.length > 0);
      if (changed.length > 0) {
        const names = changed.map(({ hospital }) => hospital).join(', ');
        throw new Exit(EXIT.failure, `the audit log of ${names} was changed outside of the platform.`);
      }
    });
}

function verify(prefix: string | undefined): Promise<readonly Verified[]> {
  return withDatabase(async (db) => {
    const hospitals = (await listHospitals(db)).filter((one) => prefix === undefined || one.prefix === prefix);
    if (hospitals.length === 0 && prefix !== undefined)
      throw new Exit(EXIT.notFound, `there is no hospital ${prefix}.`);
    const verified: Verified[] = [];
    for (const hospital of hospitals) {
      const verification = await verifyHospitalAudit(db, hospital).catch(async (error: unknown) => {
        if ((error as { code?: unknown }).code !== UNDEFINED_TABLE) throw error;
        // One that is being created or deleted has no log yet, or no more.
        const { state } = (await findHospitalByPrefix(db, hospital.prefix)) ?? { state: 'Deleting' };
        return state === 'Provisioning' || state === 'Deleting' ? undefined : MISSING;
      });
      if (verification) verified.push({ hospital: hospital.prefix, ...verification });
    }
    return verified;
  });
}

/** PostgreSQL's code for a table that does not exist. */
const UNDEFINED_TABLE = '42P01';
const MISSING: AuditVerification = {
  sealed: 0,
  removed: 0,
  waiting: 0,
  findings: [{ position: 1, seq: undefined, problem: 'the audit log is missing' }],
};

function rows(verified: readonly Verified[]): string[][] {
  return [
    ['HOSPITAL', 'SEALED', 'REMOVED', 'WAITING', 'POSITION', 'PROBLEM'],
    ...verified.flatMap(({ hospital, sealed, removed, waiting, findings }) => {
      const counts = [hospital, String(sealed), String(removed), String(waiting)];
      return findings.length === 0
        ? [[...counts, '-', 'none']]
        : findings.map(({ position, problem }) => [...counts, String(position), problem]);
    }),
  ];
}
