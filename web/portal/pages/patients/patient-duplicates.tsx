/** Others who may be this person, and those who were merged. Merging says what it does, and can be taken back. */

import { Alert, Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
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
  const [chosen, setChosen] = useState<Candidate>();
  const { isBusy, error, run } = useRun();
  const changed = () => queries.invalidateQueries({ queryKey: [patientKeys.all] });
  const header = () => ({ 'Idempotency-Key': crypto.randomUUID() });
  const merge = (other: Candidate) =>
    run(async () => {
      const params = { path: { id: other.id }, header: header() };
      const body = { intoId: id, version: other.version };
      await dataOf(api.POST('/api/hms/patients/{id}/merge', { params, body }));
      setChosen(undefined);
      await changed();
    });
  const separate = (other: Patient) =>
    run(async () => {
      const params = { path: { id: other.id }, header: header() };
      await dataOf(api.POST('/api/hms/patients/{id}/unmerge', { params, body: { version: other.version } }));
      await changed();
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
            <Can operation="mergePatient">
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t('duplicates.mergeOne', { code: other.patientCode })}
                onClick={() => setChosen(other)}
              >
                {t('duplicates.merge')}
              </Button>
            </Can>
          </Group>
        ))}
        {chosen && (
          <Alert role="alert" variant="outline" color="#8a3a00" title={t('duplicates.sure')}>
            <Stack gap="sm">
              <Text size="sm">
                {t('duplicates.how', { merged: chosen.patientCode, survivor: patient.patientCode })}
              </Text>
              <Group>
                <Button loading={isBusy} onClick={merge(chosen)} autoFocus>
                  {t('duplicates.mergeOne', { code: chosen.patientCode })}
                </Button>
                <Button variant="default" onClick={() => setChosen(undefined)}>
                  {t('form.cancel')}
                </Button>
              </Group>
            </Stack>
          </Alert>
        )}
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
