/** What is asked before a family changes: relations to a new primary contact, and who pays when the payer leaves. */
import { Alert, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../kit/api/api.ts';
import { useRun } from '../../../kit/session/login.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { type OtherRelation, relationsTo } from './family-words.ts';
import { nameOf } from './identity.ts';

type Member = Schemas['FamilyMember'];

interface Props<Answer> {
  readonly member: Member;
  readonly members: readonly Member[];
  onAnswer(answer: Answer): Promise<void>;
  onCancel(): void;
}

export interface RelationOf {
  readonly patientId: string;
  readonly relation: OtherRelation;
}

/** Asks what everybody else is to the new primary contact. */
export function PrimaryContactQuestion({ member, members, onAnswer, onCancel }: Props<readonly RelationOf[]>) {
  const { t } = useTranslation();
  const { isBusy, error, run } = useRun();
  const [given, setGiven] = useState<Readonly<Record<string, OtherRelation>>>({});
  const others = members.filter(({ id }) => id !== member.id);
  const answer = run(() =>
    onAnswer(others.flatMap(({ patientId }) => (given[patientId] ? [{ patientId, relation: given[patientId] }] : []))),
  );
  const name = nameOf(member);
  return (
    <Question
      {...{ isBusy, error, onCancel, onSubmit: answer }}
      title={t('family.makePrimary')}
      action={t('family.makePrimary')}
    >
      <Text size="sm">{t('family.primaryHow', { name })}</Text>
      {others.map((other, index) => (
        <NativeSelect
          key={other.id}
          label={t('family.whatIs', { name: nameOf(other) })}
          required
          autoFocus={index === 0}
          value={given[other.patientId] ?? ''}
          onChange={({ currentTarget: { value } }) =>
            setGiven((now) => ({ ...now, [other.patientId]: value as OtherRelation }))
          }
          data={[{ value: '', label: t('family.choose') }, ...relationsTo(t, name)]}
        />
      ))}
    </Question>
  );
}

/** Asks who pays once the payer has left. */
export function PayerQuestion({
  title,
  member,
  members,
  onAnswer,
  onCancel,
}: Props<string> & { readonly title: string }) {
  const { t } = useTranslation();
  const { isBusy, error, run } = useRun();
  const [payerId, setPayerId] = useState('');
  const others = members.filter(({ id }) => id !== member.id);
  return (
    <Question
      {...{ title, isBusy, error, onCancel }}
      color="warning"
      action={t('family.remove')}
      onSubmit={run(() => onAnswer(payerId))}
    >
      <Text size="sm">{t('family.removeHow')}</Text>
      <NativeSelect
        label={t('family.whoPays', { name: nameOf(member) })}
        required
        autoFocus
        value={payerId}
        onChange={({ currentTarget: { value } }) => setPayerId(value)}
        data={[
          { value: '', label: t('family.choose') },
          ...others.map((other) => ({ value: other.patientId, label: nameOf(other) })),
        ]}
      />
    </Question>
  );
}

interface QuestionProps {
  readonly title: string;
  readonly color?: string;
  /** The verb on the button. */
  readonly action: string;
  readonly isBusy: boolean;
  readonly error: unknown;
  onSubmit(event: SubmitEvent): void;
  onCancel(): void;
  readonly children: ReactNode;
}

/** What has to be answered before a change. Escape cancels it. */
export function Question({ title, color, action, isBusy, error, onSubmit, onCancel, children }: QuestionProps) {
  const { t } = useTranslation();
  return (
    <Alert variant="outline" title={title} {...(color ? { color } : {})}>
      <form
        onSubmit={onSubmit}
        onKeyDown={({ key }) => {
          if (key === 'Escape') onCancel();
        }}
        aria-label={title}
      >
        <Stack gap="sm">
          <ErrorPanel error={error} />
          {children}
          <Group gap="sm">
            <Button type="submit" loading={isBusy}>
              {action}
            </Button>
            <Button variant="default" onClick={onCancel}>
              {t('form.cancel')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Alert>
  );
}
