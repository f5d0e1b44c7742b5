/** A family with its members, and what may be changed about it. */

import { Anchor, Badge, Box, Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { goOnAt } from '../../../kit/lists/go-on.ts';
import { useKeptFocus } from '../../../kit/lists/kept-focus.ts';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { ask } from '../../../kit/ui/ask.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { vipKey } from '../vip/vip.queries.ts';
import { AddMember } from './add-member.tsx';
import { PayerQuestion, PrimaryContactQuestion, type RelationOf } from './family-questions.tsx';
import { listedNameOf, nameOf } from './identity.ts';
import { type FamilyWithMembers, patientKeys } from './patients.queries.ts';

type Member = Schemas['FamilyMember'];

interface Props {
  readonly family: FamilyWithMembers;
  /** Beside the name. */
  readonly action?: ReactNode;
}

export function FamilyPanel({ family, action }: Props) {
  const { t } = useTranslation();
  const may = useMay();
  const changed = useFamilyChanged();
  const { error, run } = useRun();
  const [question, setQuestion] = useState<{ readonly about: 'primary' | 'removal'; readonly member: Member }>();
  const { id, name, familyCode, primaryContactId, members, version } = family;
  const kept = useKeptFocus<HTMLDivElement>(NEVER);
  const done = async () => {
    setQuestion(undefined);
    await changed();
  };
  const leave = async (memberId: string, payerId?: string) => {
    const params = { path: { id, memberId }, query: payerId === undefined ? {} : { payerId } };
    await dataOf(api.DELETE('/api/crm/families/{id}/members/{memberId}', { params }));
    // On their own page, the family goes too.
    goOnAt([], document.activeElement);
    await done();
  };
  const remove = async (member: Member) => {
    if (member.isPayer) return setQuestion({ about: 'removal', member });
    const text = t('family.confirmRemove', { name: nameOf(member), family: name });
    if (await ask(text, t('family.remove'), t('family.removeHow'))) await run(() => leave(member.id))();
  };
  const makePrimary = async ({ patientId }: Member, relations: readonly RelationOf[]) => {
    const body = { patientId, relations: [...relations], version };
    await dataOf(api.PUT('/api/crm/families/{id}/primary-contact', { params: { path: { id } }, body }));
    await done();
  };
  const makePayer = ({ patientId: payerId }: Member) =>
    run(async () => {
      await dataOf(api.PUT('/api/crm/families/{id}', { params: { path: { id } }, body: { payerId, version } }));
      await done();
    });
  return (
    <Stack className="hms-panel" gap="sm" pb="md" {...kept}>
      <Group px="md" pt="md" gap="sm">
        <Text fw={600}>{t('family.name', { name })}</Text>
        <Text size="sm" c="dimmed" className="hms-number">
          {familyCode}
        </Text>
        {action}
      </Group>
      {error !== undefined && (
        <Stack px="md">
          <ErrorPanel error={error} />
        </Stack>
      )}
      <DataTable
        label={t('patients.tab.family')}
        rows={members}
        rowKey={(member) => member.id}
        columns={[
          {
            key: 'name',
            title: t('patients.name'),
            render: (member) => (
              <Anchor
                size="sm"
                fw={500}
                renderRoot={(props) => (
                  <Link to="/patients/$id" params={{ id: member.patientId }} search={{ tab: 'family' }} {...props} />
                )}
              >
                <bdi>{listedNameOf(member)}</bdi>
              </Anchor>
            ),
          },
          {
            key: 'code',
            title: t('patients.code'),
            render: ({ patientCode }) => <span className="hms-number">{patientCode}</span>,
          },
          {
            key: 'relation',
            title: t('family.relation'),
            render: ({ relation, patientId, isPayer }) => (
              <Group gap={6}>
                {t(`family.relations.${relation}`)}
                {patientId === primaryContactId && (
                  <Badge variant="light" tt="none">
                    {t('family.primary')}
                  </Badge>
                )}
                {isPayer && (
                  <Badge variant="outline" tt="none">
                    {t('family.payer')}
                  </Badge>
                )}
              </Group>
            ),
          },
          ...(may('removeFamilyMember')
            ? [
                {
                  key: 'actions',
                  title: t('list.actions'),
                  render: (member: Member) => (
                    <Group gap={4}>
                      {!member.isPayer && (
                        <Button
                          size="compact-sm"
                          variant="subtle"
                          aria-label={`${t('family.pays')}: ${nameOf(member)}`}
                          onClick={makePayer(member)}
                        >
                          {t('family.pays')}
                        </Button>
                      )}
                      {member.patientId !== primaryContactId && (
                        <>
                          <Button
                            size="compact-sm"
                            variant="subtle"
                            aria-label={`${t('family.makePrimary')}: ${nameOf(member)}`}
                            onClick={() => setQuestion({ about: 'primary', member })}
                          >
                            {t('family.makePrimary')}
                          </Button>
                          <Button
                            size="compact-sm"
                            variant="subtle"
                            color="bad"
                            aria-label={`${t('family.remove')}: ${nameOf(member)}`}
                            onClick={() => void remove(member)}
                          >
                            {t('family.remove')}
                          </Button>
                        </>
                      )}
                    </Group>
                  ),
                },
              ]
            : []),
        ]}
      />
      {question && (
        <Box mx="md">
          {question.about === 'primary' && (
            <PrimaryContactQuestion
              key={question.member.id}
              member={question.member}
              members={members}
              onAnswer={(relations) => makePrimary(question.member, relations)}
              onCancel={() => setQuestion(undefined)}
            />
          )}
          {question.about === 'removal' && (
            <PayerQuestion
              key={question.member.id}
              title={t('family.confirmRemove', { name: nameOf(question.member), family: name })}
              member={question.member}
              members={members}
              onAnswer={(payerId) => leave(question.member.id, payerId)}
              onCancel={() => setQuestion(undefined)}
            />
          )}
        </Box>
      )}
      <Can operation="addFamilyMember">
        <AddMember family={family} onAdded={changed} />
      </Can>
    </Stack>
  );
}

/** Whoever removed somebody goes on at the title, and not at another person's button. */
const NEVER = () => false;

/** The VIP memberships of a family are those of its members. */
export function useFamilyChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    const keys = [patientKeys.all, vipKey];
    await Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [key] })));
  };
}
