/** What two records of a person are compared by, in words. */
import type { TFunction } from 'i18next';
import { showDay } from '../../../kit/time/time.ts';
import { addressLines } from './address-lines.ts';
import type { FamilyWithMembers, Patient } from './patients.queries.ts';

/** A record with what belongs to it. A count that the person may not see is undefined. */
export interface ComparedRecord {
  readonly patient: Patient;
  readonly family: FamilyWithMembers | undefined;
  readonly appointments: number | undefined;
  readonly invoices: number | undefined;
  readonly documents: number | undefined;
}

export interface ComparedField {
  readonly key: string;
  readonly label: string;
  /** Of each of the two. Empty: nobody has said. */
  readonly values: readonly [string, string];
  /** Numbers of records differ without a meaning. */
  readonly isCount: boolean;
}

interface Help {
  readonly t: TFunction;
  readonly language: string;
  showPhone(kept: string): string;
  showMoment(iso: string): string;
}

/** The fields that one of the two has. */
export function comparedFields(one: ComparedRecord, other: ComparedRecord, help: Help): readonly ComparedField[] {
  const { t } = help;
  const field = (key: string, label: string, read: (of: ComparedRecord) => string | null | undefined) => {
    const values = [read(one) ?? '', read(other) ?? ''] as const;
    return { key, label, values, isCount: false };
  };
  const count = (key: 'appointments' | 'invoices' | 'documents') => {
    const read = (of: ComparedRecord) => of[key]?.toString();
    return { ...field(key, t(`patients.tab.${key}`), read), isCount: true };
  };
  const of = (key: string, read: (patient: Patient) => string | null | undefined) =>
    field(key, t(`patients.${key}` as 'patients.firstName'), ({ patient }) => read(patient));
  return [
    of('firstName', ({ firstName }) => firstName),
    of('lastName', ({ lastName }) => lastName),
    of('dateOfBirth', ({ dateOfBirth, timeOfBirth }) =>
      [dateOfBirth && showDay(dateOfBirth), timeOfBirth].filter(Boolean).join(', '),
    ),
    of('gender', ({ gender }) => gender && t(`patients.genders.${gender}`)),
    of('phone', ({ phone }) => phone && help.showPhone(phone)),
    of('email', ({ email }) => email),
    of('address', ({ address }) => addressLines(address, help.language).join('\n')),
    of('bloodGroup', ({ bloodGroup }) => bloodGroup?.replace('-', '−')),
    of('allergies', ({ allergies }) => allergiesOf(allergies, t)),
    of('alerts', ({ alerts }) => alerts.join('\n')),
    field('family', t('patients.tab.family'), ({ family }) => family && familyOf(family)),
    count('appointments'),
    count('invoices'),
    count('documents'),
    of('registered', ({ createdAt }) => help.showMoment(createdAt)),
  ].filter(({ values }) => values.some((value) => value !== ''));
}

function allergiesOf(allergies: Patient['allergies'], t: TFunction): string {
  if (allergies === null) return '';
  if (allergies.length === 0) return t('patients.noAllergies');
  return allergies
    .map(({ substance, severity }) =>
      t('patients.allergicTo', { substance, severity: t(`patients.severities.${severity}`) }),
    )
    .join('\n');
}

function familyOf({ name, familyCode, members }: FamilyWithMembers): string {
  const people = members.map(({ firstName, lastName, patientCode }) => {
    return [firstName, lastName].filter(Boolean).join(' ') || patientCode;
  });
  return [`${name} (${familyCode})`, ...(people.length > 1 ? people : [])].join('\n');
}

/** Whether the two say something different, or only one of them says something. */
export function differenceOf({ values: [one, other], isCount, key }: ComparedField): 'differs' | 'onlyOne' | undefined {
  if (isCount || key === 'registered' || key === 'family' || one === other) return undefined;
  return one === '' || other === '' ? 'onlyOne' : 'differs';
}
