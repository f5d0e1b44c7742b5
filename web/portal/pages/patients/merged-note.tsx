/** Says that a record is merged, and leads to the one that remains. */
import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { Can } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { type Patient, patientKeys, patientQuery } from './patients.queries.ts';

export function MergedNote({ patient: { id, version, survivorId } }: { readonly patient: Patient }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const survivor = useQuery({ ...patientQuery(survivorId ?? ''), enabled: survivorId !== null });
  const { isBusy, error, run } = useRun();
  const separate = run(async () => {
    const params = { path: { id }, header: { 'Idempotency-Key': crypto.randomUUID() } };
    await dataOf(api.POST('/api/hms/patients/{id}/unmerge', { params, body: { version } }));
    await queries.invalidateQueries({ queryKey: [patientKeys.all] });
  });
  return (
    <Alert variant="outline" color="warning" title={t('duplicates.isMerged')} role="status">
      <ErrorPanel error={error} />
      <Group gap="md">
        <Text size="sm">{t('duplicates.isMergedHow')}</Text>
        {survivor.data && (
          <Anchor
            size="sm"
            fw={500}
            renderRoot={(props) => <Link to="/patients/$id" params={{ id: survivor.data.id }} {...props} />}
          >
            {t('patients.open', { code: survivor.data.patientCode })}
          </Anchor>
        )}
        <Can operation="unmergePatient">
          <Button size="compact-sm" variant="default" loading={isBusy} onClick={separate}>
            {t('duplicates.separate')}
          </Button>
        </Can>
      </Group>
    </Alert>
  );
}
