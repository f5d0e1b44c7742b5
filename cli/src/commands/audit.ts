/** audit verify: whether somebody changed a hospital's audit log. */
import { type AuditVerification, connect, listHospitals, verifyHospitalAudit } from '@hms/database';
import { DATA_DIR, livingState } from '@hms/local';
import { Command } from 'commander';
import { EXIT, Exit } from '../exit.ts';
import { examples, globals, hospitalPrefix } from '../options.ts';
import { print } from '../output.ts';

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
    .addHelpText(
      'after',
      `\nThe database is that of the platform on this machine, or DATABASE_URL with the operator's account, as in\nthe operator's container: kubectl exec deploy/<release>-operator -- bin/hms hmsctl audit verify\n${examples('hmsctl audit verify st-mary')}`,
    )
    .action(async (prefix: string | undefined, _options, command: Command) => {
      const verified = await verify(databaseUrl(), prefix);
      print(verified, globals(command).output, rows);
      const changed = verified.filter(({ findings }) => findings.length > 0);
      if (changed.length > 0) {
        const names = changed.map(({ hospital }) => hospital).join(', ');
        throw new Exit(EXIT.failure, `the audit log of ${names} was changed outside of the platform.`);
      }
    });
}

function databaseUrl(): string {
  const url = process.env.DATABASE_URL ?? livingState(DATA_DIR)?.databaseUrls.operator;
  if (url) return url;
  throw new Exit(
    EXIT.notFound,
    "the platform is not running on this machine: start it with make up, or set DATABASE_URL to the operator's account, like postgres://hms_operator:password@host:5432/hms.",
  );
}

async function verify(url: string, prefix: string | undefined): Promise<readonly Verified[]> {
  const db = connect(url, { poolSize: 2, applicationName: 'hmsctl' });
  try {
    const hospitals = (await listHospitals(db)).filter((one) => prefix === undefined || one.prefix === prefix);
    if (hospitals.length === 0 && prefix !== undefined)
      throw new Exit(EXIT.notFound, `there is no hospital ${prefix}.`);
    const verified: Verified[] = [];
    for (const hospital of hospitals) {
      verified.push({ hospital: hospital.prefix, ...(await verifyHospitalAudit(db, hospital)) });
    }
    return verified;
  } finally {
    await db.destroy();
  }
}

function rows(verified: readonly Verified[]): string[][] {
  return [
    ['HOSPITAL', 'SEALED', 'WAITING', 'POSITION', 'PROBLEM'],
    ...verified.flatMap(({ hospital, sealed, waiting, findings }) => {
      const counts = [hospital, String(sealed), String(waiting)];
      return findings.length === 0
        ? [[...counts, '-', 'none']]
        : findings.map(({ position, problem }) => [...counts, String(position), problem]);
    }),
  ];
}
