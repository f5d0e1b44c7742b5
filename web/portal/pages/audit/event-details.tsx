/** What else is known of an event: whose account, from where, and which values changed. */
import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { wordOf } from '../../../kit/i18n/i18n.ts';
import { roleName } from '../../../kit/roles/role-name.ts';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { listed } from '../../../kit/ui/error-panel.tsx';
import { type Fact, Facts } from '../../../kit/ui/facts.tsx';
import { type Event, type Values, valuesOf } from './sentence.ts';

export function EventDetails({ event }: { readonly event: Event }) {
  const { t } = useTranslation();
  const { actorEmail, actorRoles, address, requestId, recordId, seq, position, actor, action } = event;
  const details = valuesOf(event.details);
  const show = useShow();
  const facts: readonly Fact[] = [
    ...factsIn(action === 'overrule' ? {} : details, show),
    { label: t('audit.more.person'), value: actorEmail },
    { label: t('audit.more.account'), value: actorEmail === null && !actor.startsWith('task:') && code(actor) },
    { label: t('audit.more.roles'), value: actorRoles.length > 0 && listed(actorRoles.map(roleName)) },
    { label: t('audit.more.task'), value: actor.startsWith('task:') && code(actor.slice('task:'.length)) },
    { label: t('audit.more.address'), value: address && code(address) },
    { label: t('audit.more.record'), value: recordId && code(recordId) },
    { label: t('audit.more.request'), value: requestId && code(requestId) },
    { label: t('audit.more.number'), value: seq },
    { label: t('audit.more.position'), value: position },
  ];
  return (
    <Stack gap="xs" mt="xs">
      {action === 'overrule' && <Overruled details={details} />}
      <Changes before={valuesOf(event.before)} after={valuesOf(event.after)} />
      <Facts facts={facts.filter(({ value }) => value !== null && value !== undefined && value !== false)} />
    </Stack>
  );
}

/** Changed fields with their former and their new values. */
function Changes({ before, after }: { readonly before: Values; readonly after: Values }) {
  const show = useShow();
  // Of a new record, only what is known.
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => !TECHNICAL.has(name) && (name in before || !isEmpty(after[name])),
  );
  return names.map((name) => (
    <Text key={name} size="xs">
      {labelOf(name, FIELD)}: {name in before && <del>{show(name, before[name])}</del>}{' '}
      {name in after && <ins>{show(name, after[name])}</ins>}
    </Text>
  ));
}

/** Why a warning was overruled, and whom the person looks like. */
function Overruled({ details }: { readonly details: Values }) {
  const { t } = useTranslation();
  const candidates = (details.candidates ?? []) as readonly { readonly patientCode: string }[];
  const codes = candidates.map(({ patientCode }) => patientCode).join(', ');
  return <Text size="xs">{t('audit.overruled', { codes, reason: String(details.reason) })}</Text>;
}

/** What is said neither by the sentence nor by the fields. Lists of IDs are counted. */
function factsIn(details: Values, show: ReturnType<typeof useShow>): readonly Fact[] {
  return Object.entries(details).flatMap(([name, value]) => {
    if (SAID.has(name) || isEmpty(value)) return [];
    if (name === 'ids')
      return [{ label: wordOf('audit.more.shown') ?? name, value: (value as readonly unknown[]).length }];
    if (name === 'filters') return factsIn(valuesOf(value), show);
    const place = name === 'reason' ? wordOf(`audit.place.${value}`) : undefined;
    if (place) return [{ label: labelOf('where', MORE), value: place }];
    const text = show(name, value);
    return [{ label: labelOf(name, MORE), value: text === value ? code(text) : text }];
  });
}

function code(text: string) {
  return (
    <Text span size="xs" dir="ltr" className="hms-code">
      {text}
    </Text>
  );
}

/** What a name means in `details`, and as a field of a record. */
const [MORE, FIELD] = [['more', 'field'], ['field']] as const;

function labelOf(name: string, groups: readonly string[]): string {
  // Some parts of records are written as in the database.
  const field = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return groups.map((group) => wordOf(`audit.${group}.${field}`)).find(Boolean) ?? name;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** A value as people read it. */
function useShow(): (name: string, value: unknown) => string {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  const show = (name: string, value: unknown): string => {
    if (isEmpty(value)) return '–';
    if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no');
    if (name === 'roles' && Array.isArray(value)) return listed(value.map(roleName));
    if (Array.isArray(value)) return value.map((one) => show(name, one)).join(' · ');
    if (typeof value === 'object') {
      const parts = Object.entries(valuesOf(value)).filter(([, part]) => !isEmpty(part));
      return parts.map(([part, of]) => `${labelOf(part, FIELD)}: ${show(part, of)}`).join('; ');
    }
    if (typeof value !== 'string') return String(value);
    if (MOMENT.test(value)) return showMoment(value, zone);
    return wordOf(`audit.state.${value}`) ?? wordOf(`audit.value.${value}`) ?? value;
  };
  return show;
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** What the sentence says already. */
const SAID = new Set(['event', 'operation', 'resource', 'export', 'candidates']);

/** What says nothing to people. */
const TECHNICAL = new Set([
  'id',
  'hospitalId',
  'patientId',
  'version',
  'sha256',
  'createdAt',
  'updatedAt',
  'deletedAt',
  'photoId',
  'familyId',
]);
