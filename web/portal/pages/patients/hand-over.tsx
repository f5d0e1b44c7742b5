/** What is asked before the primary contact or the payer of a family moves to another one: who takes over. */
import { NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../kit/api/api.ts';
import { useRun } from '../../../kit/session/login.tsx';
import { Question, type RelationOf } from './family-questions.tsx';
import { type OtherRelation, relationsTo } from './family-words.ts';
import { nameOf } from './identity.ts';
import type { FamilyWithMembers } from './patients.queries.ts';

type HandOver = NonNullable<Schemas['NewFamilyMember']['handOver']>;

interface Props {
  /** The family that somebody leaves. */
  readonly family: FamilyWithMembers;
  readonly patientId: string;
  onAnswer(handOver: HandOver): Promise<void>;
  onCancel(): void;
}

export function HandOverQuestion({ family: { name, members, primaryContactId, payerId }, ...props }: Props) {
  const { patientId, onAnswer, onCancel } = props;
  const { t } = useTranslation();
  const { isBusy, error, run } = useRun();
  const staying = members.filter((member) => member.patientId !== patientId);
  const only = staying.length === 1 ? (staying[0]?.patientId ?? '') : '';
  const [contact, setContact] = useState(only);
  const [payer, setPayer] = useState(only);
  const [given, setGiven] = useState<Readonly<Record<string, OtherRelation>>>({});
  const chosen = staying.find((member) => member.patientId === contact);
  const others = staying.filter((member) => member !== chosen);
  const leaving = members.find((member) => member.patientId === patientId);
  const choices = [
    { value: '', label: t('family.choose') },
    ...staying.map((member) => ({ value: member.patientId, label: nameOf(member) })),
  ];
  const answer = run(() => {
    const relations = others.flatMap((member): RelationOf[] => {
      const relation = given[member.patientId];
      return relation ? [{ patientId: member.patientId, relation }] : [];
    });
    return onAnswer({
      ...(primaryContactId === patientId ? { primaryContactId: contact, relations } : {}),
      ...(payerId === patientId ? { payerId: payer } : {}),
    });
  });
  const title = t('family.handOver', { name: leaving ? nameOf(leaving) : '', family: name });
  return (
    <Question {...{ title, isBusy, error, onCancel, onSubmit: answer }} color="warning" action={t('family.move')}>
      <Text size="sm">{t('family.handOverHow')}</Text>
      {primaryContactId === patientId && (
        <NativeSelect
          label={t('family.primary')}
          required
          autoFocus
          value={contact}
          data={choices}
          onChange={({ currentTarget: { value } }) => setContact(value)}
        />
      )}
      {primaryContactId === patientId &&
        chosen &&
        others.map((member) => (
          <NativeSelect
            key={member.id}
            label={t('family.whatIs', { name: nameOf(member) })}
            required
            value={given[member.patientId] ?? ''}
            data={[{ value: '', label: t('family.choose') }, ...relationsTo(t, nameOf(chosen))]}
            onChange={({ currentTarget: { value } }) =>
              setGiven((now) => ({ ...now, [member.patientId]: value as OtherRelation }))
            }
          />
        ))}
      {payerId === patientId && (
        <NativeSelect
          label={t('family.pays')}
          required
          value={payer}
          data={choices}
          onChange={({ currentTarget: { value } }) => setPayer(value)}
        />
      )}
    </Question>
  );
}
