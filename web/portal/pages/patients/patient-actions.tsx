/** What can be done with a record from every tab: print, and delete. */

import { Button, Group, Stack } from '@mantine/core';
import { IconPrinter, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { openPdf } from '../../../kit/api/pdf.ts';
import { Can } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { ask } from '../../../kit/ui/ask.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { nameOf } from './identity.ts';
import { type Patient, patientKeys } from './patients.queries.ts';

export function PatientActions({ patient }: { readonly patient: Patient }) {
  const { t } = useTranslation();
  const { id, version, patientCode } = patient;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { isBusy, error, run } = useRun();
  const remove = run(async () => {
    await dataOf(api.DELETE('/api/hms/patients/{id}', { params: { path: { id }, query: { version } } }));
    void queries.invalidateQueries({ queryKey: [patientKeys.all] });
    await navigate({ to: '/patients', search: {} });
  });
  const question = t('patients.confirmDelete', { name: nameOf(patient), code: patientCode });
  const print = (form: 'wristband' | 'label') => (
    <Button
      size="compact-sm"
      variant="default"
      loading={isBusy}
      leftSection={<IconPrinter size={16} aria-hidden />}
      onClick={run(() => openPdf(async () => `/api/hms/patients/${id}/labels?form=${form}`))}
    >
      {t(`patients.${form}`)}
    </Button>
  );
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Can operation="readPatientLabels">
          {print('wristband')}
          {print('label')}
        </Can>
        <Can operation="deletePatient">
          <Button
            size="compact-sm"
            variant="subtle"
            color="bad"
            loading={isBusy}
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() =>
              void ask(question, t('patients.delete'), t('patients.deleteHow')).then((isYes) =>
                isYes ? remove() : undefined,
              )
            }
          >
            {t('patients.delete')}
          </Button>
        </Can>
      </Group>
      <ErrorPanel error={error} />
    </Stack>
  );
}
