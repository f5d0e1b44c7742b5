/** Others who may be this person, and those who were merged. A merge can be taken back. */

import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { Phone } from '../../../kit/phones/phone.tsx';
import { Can } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { bornText, listedNameOf } from './identity.ts';
import { type Candidate, duplicatesQuery, mergedQuery, type Patient, patientKeys } from './patients.queries.ts';

export function PatientDuplicates({ patient }: { readonly patient: Patient }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { id, version } = patient;
  const found = useQuery(duplicatesQuery(id));
  const merged = useQuery(mergedQuery(id));
  const { isBusy, error, run } = useRun();
  const separate = (other: Patient) =>
    run(async () => {
      const params = { path: { id: other.id }, header: { 'Idempotency-Key': crypto.randomUUID() } };
      await dataOf(api.POST('/api/hms/patients/{id}/unmerge', { params, body: { version: other.version } }));
      await queries.invalidateQueries({ queryKey: [patientKeys.all] });
    });
  return (
    <Stack className="hms-panel" p="lg" gap="lg" key={version}>
      <ErrorPanel error={error ?? found.error ?? merged.error} />
      <Stack gap="sm" component="section" aria-label={t('duplicates.title')} aria-busy={found.isPending}>
        <Text fw={600}>{t('duplicates.title')}</Text>
        {found.data?.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('duplicates.none')}
          </Text>
        )}
        {found.data?.map((other) => (
          <Group key={other.id} gap="md">
            <Badge variant="outline" tt="none" aria-label={t('duplicates.score', { score: other.similarity.score })}>
              {other.similarity.score} %
            </Badge>
            <Person patient={other} />
            <Text size="sm" c="dimmed">
              {alikeIn(other.similarity, t)}
            </Text>
            <Can operation="mergePatient">
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t('duplicates.compareOne', { code: other.patientCode })}
                renderRoot={(props) => (
                  <Link to="/patients/$id/merge" params={{ id }} search={{ with: other.id }} {...props} />
                )}
              >
                {t('duplicates.compare')}
              </Button>
            </Can>
          </Group>
        ))}
        <Can operation="mergePatient">
          <Group>
            <Button
              size="compact-sm"
              variant="default"
              renderRoot={(props) => <Link to="/patients/$id/merge" params={{ id }} {...props} />}
            >
              {t('duplicates.mergeOther')}
            </Button>
          </Group>
        </Can>
      </Stack>
      {merged.data && merged.data.length > 0 && (
        <Stack gap="sm" component="section" aria-label={t('duplicates.merged')}>
          <Text fw={600}>{t('duplicates.merged')}</Text>
          {merged.data.map((other) => (
            <Group key={other.id} gap="md">
              <Person patient={other} />
              {/* Those who were merged into a merged one are separated there. */}
              <Can operation="unmergePatient">
                <Button
                  size="compact-sm"
                  variant="default"
                  loading={isBusy}
                  aria-label={t('duplicates.separateOne', { code: other.patientCode })}
                  onClick={separate(other)}
                >
                  {t('duplicates.separate')}
                </Button>
              </Can>
            </Group>
          ))}
        </Stack>
      )}
    </Stack>
  );
}

/** What is alike, and what is not, in words. */
function alikeIn({ score: _, ...parts }: Candidate['similarity'], t: TFunction): string {
  const words = (['name', 'dateOfBirth', 'phone', 'gender'] as const).flatMap((part) => {
    const alike = parts[part];
    if (alike === null || (part === 'gender' && alike > 0)) return [];
    return t(`duplicates.${part}.${alike === 100 ? 'same' : alike > 0 ? 'similar' : 'other'}`);
  });
  return words.join(' · ');
}

function Person({ patient }: { readonly patient: Patient }) {
  const { t } = useTranslation();
  const { id, patientCode, dateOfBirth, phone } = patient;
  return (
    <>
      <Anchor renderRoot={(props) => <Link to="/patients/$id" params={{ id }} {...props} />} fw={500} size="sm">
        <bdi>{listedNameOf(patient)}</bdi>
      </Anchor>
      <Text size="sm" className="hms-number">
        {patientCode}
      </Text>
      <Text size="sm">{bornText(t, dateOfBirth)}</Text>
      <Text size="sm">
        <Phone kept={phone} />
      </Text>
    </>
  );
}
