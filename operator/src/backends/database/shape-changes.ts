/**
 * Decides what to do about the differences between a hospital's schema and its reference. Privileges are restored, and
 * foreign code that runs in a hospital's transactions is dropped. What changes only speed is the business of the server's
 * administrator: it is told and left. Everything else could cost data, or time in which a table is locked: it is
 * reported as damage, and an administrator decides.
 */
import { ACCESS_KINDS, type Difference, type Fact, type FactKind } from '@hms/database';
import { TENANT_ROLES } from '@hms/tenancy';

/** The repair of one difference. */
interface Repair {
  /** The repaired object, for messages. */
  readonly object: string;
  readonly action: 'create' | 'update' | 'delete';
  readonly statement: string;
}

export interface ShapeVerdict {
  readonly repairs: readonly Repair[];
  /** What is not restored, one phrase per difference. */
  readonly damage: readonly string[];
  /** What is left as it is because it changes only speed, one phrase per difference. */
  readonly tuning: readonly string[];
  /** Names of lost tables. */
  readonly lost: readonly string[];
}

/** Kinds that depend on the role, not on the version of the schema. */
const ROLE_KINDS: ReadonlySet<FactKind> = new Set<FactKind>([
  'attribute',
  'setting',
  'membership',
  'grant outside the schema',
  'object outside the schema',
]);
/** Kinds of facts that state that an object exists. */
const IS_OBJECT: ReadonlySet<FactKind> = new Set<FactKind>(['table', 'view', 'sequence', 'type', 'index', 'function']);
const IS_ACCESS: ReadonlySet<FactKind> = new Set<FactKind>(ACCESS_KINDS);

/** The facts that hold in every version. */
export function roleFacts(facts: readonly Fact[]): readonly Fact[] {
  return facts.filter(({ kind }) => ROLE_KINDS.has(kind));
}

/**
 * Judges differences. Pure.
 * @param differences with the hospital's names.
 */
export function judgeShape(differences: readonly Difference[]): ShapeVerdict {
  const lost = differences.flatMap(({ expected, actual }) =>
    expected?.kind === 'table' && !actual ? [nameOf(expected.target)] : [],
  );
  const added = new Set(
    differences.flatMap(({ expected, actual }) =>
      actual && !expected && IS_OBJECT.has(actual.kind) ? [actual.target] : [],
    ),
  );
  const relevant = differences
    // The parts of a lost table are lost with it.
    .filter(({ expected }) => !lost.includes(nameOf(expected?.target ?? '')))
    // A foreign object is reported once, without its parts.
    .filter(({ actual }) => !actual || IS_OBJECT.has(actual.kind) || !added.has(actual.target));
  const judged = relevant
    .filter((difference) => !isTuning(difference))
    .map((difference) => ({ difference, repair: repairOf(difference) }));
  return {
    repairs: judged.flatMap(({ repair }) => (repair ? [repair] : [])),
    damage: judged.flatMap(({ difference, repair }) => (repair ? [] : [damageOf(difference)])),
    tuning: relevant.filter(isTuning).map(tuningOf),
    lost: lost.sort(),
  };
}

/**
 * Whether only the speed of statements differs. A missing index is created again, because the release counts on it, and
 * a unique one decides which records there can be.
 */
function isTuning({ expected, actual }: Difference): boolean {
  if ((expected ?? actual)?.kind === 'tuning') return true;
  if (!actual) return false;
  if (actual.kind === 'other object') return actual.target.startsWith('statistics object ');
  const decides = (fact: Fact | undefined) => fact !== undefined && /^CREATE UNIQUE|REPLICA IDENTITY$/.test(fact.value);
  return actual.kind === 'index' && !decides(actual) && !decides(expected);
}

function repairOf({ expected, actual }: Difference): Repair | undefined {
  const statement = actual && !expected ? withdrawal(actual) : expected && restoration(expected, actual);
  const fact = expected ?? actual;
  if (!statement || !fact) return undefined;
  return { action: !actual ? 'create' : expected ? 'update' : 'delete', object: subject(fact), statement };
}

/** Removes an unexpected fact. */
function withdrawal(fact: Fact): string | undefined {
  const { kind, target, item, grantee } = fact;
  const table = target.replace(/^TABLE /, '');
  switch (kind) {
    case 'grant':
      return `REVOKE ${item} ON ${target} FROM ${grantee} CASCADE`;
    case 'default privilege':
      return `ALTER DEFAULT PRIVILEGES ${target} REVOKE ${item} FROM ${grantee} CASCADE`;
    case 'setting':
      return `ALTER ${target} RESET ${item}`;
    case 'membership':
      return withoutMembership(fact);
    case 'grant outside the schema':
      return /^[A-Z]+ /.test(target) ? `REVOKE ALL ON ${target} FROM ${grantee} CASCADE` : undefined;
    case 'trigger':
      return `DROP TRIGGER ${item} ON ${table}`;
    case 'rule':
      return `DROP RULE ${item} ON ${table}`;
    case 'policy':
      return `DROP POLICY ${item} ON ${table}`;
    default:
      return undefined;
  }
}

/**
 * Ends a membership. A module that serves a hospital loses only the options that it should not have: the hospital's
 * reconcile and that of the platform both see them, and the later of the two must not end what the earlier has restored.
 */
function withoutMembership({ target, item, grantee, value }: Fact): string {
  const serves = TENANT_ROLES.includes(grantee) && target.startsWith('h_') && value.endsWith('set');
  const surplus = value.split(', ').filter((option) => option !== 'set');
  if (!serves || surplus.length === 0) return `REVOKE ${target} FROM ${grantee} ${item} CASCADE`;
  return surplus.map((option) => `REVOKE ${option} OPTION FOR ${target} FROM ${grantee} ${item} CASCADE`).join('; ');
}

/** Restores a missing or changed fact. */
function restoration(expected: Fact, actual: Fact | undefined): string | undefined {
  const { kind, target, item, grantee, value } = expected;
  const option = value === 'grantable' ? ' WITH GRANT OPTION' : '';
  switch (kind) {
    case 'owner':
      return actual && takeOver(target, actual.value, value);
    case 'grant':
      return actual?.value === 'grantable'
        ? `REVOKE GRANT OPTION FOR ${item} ON ${target} FROM ${grantee} CASCADE`
        : `GRANT ${item} ON ${target} TO ${grantee}${option}`;
    case 'default privilege':
      return actual?.value === 'grantable'
        ? `ALTER DEFAULT PRIVILEGES ${target} REVOKE GRANT OPTION FOR ${item} FROM ${grantee} CASCADE`
        : `ALTER DEFAULT PRIVILEGES ${target} GRANT ${item} TO ${grantee}${option}`;
    case 'attribute':
      return item === 'VALID UNTIL'
        ? `ALTER ${target} VALID UNTIL '${value}'`
        : `ALTER ${target} ${value === 'true' ? item : `NO${item}`}`;
    case 'row security':
      return `ALTER ${target} ${value.includes('enabled') ? 'ENABLE' : 'DISABLE'} ROW LEVEL SECURITY, ${value.includes('forced') ? '' : 'NO '}FORCE ROW LEVEL SECURITY`;
    case 'index':
      // A unique index may fail on existing data.
      return actual || value.startsWith('CREATE UNIQUE') ? undefined : value;
    default:
      return undefined;
  }
}

/** A new owner needs the privileges of the old one. The operator may grant itself those of a hospital's role. */
function takeOver(target: string, owner: string, next: string): string {
  const change = `ALTER ${target} OWNER TO ${next}`;
  if (!/^h_/.test(owner)) return change;
  return `GRANT ${owner} TO CURRENT_USER WITH INHERIT TRUE, SET TRUE; ${change}; REVOKE ${owner} FROM CURRENT_USER`;
}

/** Longer ones would leave no room for what else is wrong: a condition has some hundred characters. */
const LONGEST_DEFINITION = 160;

function damageOf({ expected, actual }: Difference): string {
  if (expected && !actual) return `${subject(expected)} is missing`;
  if (expected && actual) {
    const isLong = Math.max(actual.value.length, expected.value.length) > LONGEST_DEFINITION;
    return isLong
      ? `${subject(expected)} has another definition than in a new schema`
      : `${subject(expected)} is "${actual.value}" instead of "${expected.value}"`;
  }
  return `${subject(actual)} does not belong there`;
}

function tuningOf(difference: Difference): string {
  const { expected, actual } = difference;
  if (expected && actual) return damageOf(difference);
  if (expected) return `${subject(expected)} is no longer "${expected.value}"`;
  return actual?.kind === 'tuning' ? `${subject(actual)} is "${actual.value}"` : `${subject(actual)} was added`;
}

function subject(fact: Fact | undefined): string {
  if (!fact) return '';
  const { kind, target, item, grantee } = fact;
  const place = target.replace(/^(TABLE|SEQUENCE|INDEX|TYPE|ROUTINE|SCHEMA|ROLE) /, (word) => word.toLowerCase());
  if (kind === 'tuning') return `setting of ${[item, place].filter(Boolean).join(' of ')}`;
  if (kind === 'membership') return `membership of role ${grantee} in role ${target}`;
  if (kind === 'object outside the schema' && grantee !== '') return `${place} of role ${grantee}`;
  if (kind === 'grant outside the schema') return `privileges of role ${grantee} on ${place}`;
  if (grantee !== '') return `${kind} of ${item} on ${place} to ${grantee}`;
  if (item !== '') return `${kind} ${item} of ${place}`;
  if (IS_ACCESS.has(kind) || kind === 'row security') return `${kind} of ${place}`;
  return kind === 'table' && !target.startsWith('TABLE') ? place : `${kind} ${nameOf(target)}`;
}

function nameOf(target: string): string {
  return target.replace(/^[A-Z]+ (?:[^.( ]+\.)?/, '');
}
