/** The photo of a patient beside their name, or their initials. Who may can choose another one. */

import { Avatar, FileButton, UnstyledButton } from '@mantine/core';
import { IconCamera } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { useMay } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { nameOf } from './identity.ts';
import { readDocument, uploadDocument } from './patient-files.ts';
import { type Patient, patientKeys } from './patients.queries.ts';

export function PatientPhoto({ patient }: { readonly patient: Patient }) {
  const { t } = useTranslation();
  const may = useMay();
  const queries = useQueryClient();
  const { isBusy, error, run } = useRun();
  const { id, version, photoId, firstName, lastName } = patient;
  const photo = useQuery({
    queryKey: [...patientKeys.one(id), 'photo', photoId],
    queryFn: async () => URL.createObjectURL(await readDocument(id, photoId ?? '')),
    enabled: photoId !== null && may('readPatientDocumentUrl'),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const picture = (
    <Avatar
      src={photo.data ?? null}
      alt={t('patients.photoOf', { name: nameOf(patient) })}
      size={56}
      color="quiet"
      variant="outline"
    >
      {[firstName, lastName].map((name) => [...(name ?? '')][0]).join('')}
    </Avatar>
  );
  if (!may('changePatientPhoto') || patient.survivorId !== null) return picture;
  const take = (file: File | null) =>
    run(async () => {
      if (!file) return;
      const documentId = await uploadDocument(id, file, { kind: 'photo' });
      const body = { documentId, version };
      const saved = await dataOf(api.PUT('/api/hms/patients/{id}/photo', { params: { path: { id } }, body }));
      queries.setQueryData(patientKeys.one(id), saved);
      void queries.invalidateQueries({ queryKey: [patientKeys.all] });
    })();
  return (
    <>
      <FileButton accept="image/jpeg,image/png,image/webp" onChange={(file) => void take(file)}>
        {(props) => (
          <UnstyledButton {...props} aria-busy={isBusy} title={t('patients.choosePhoto')} className="hms-photo">
            {picture}
            <span className="hms-hidden">{t('patients.choosePhoto')}</span>
            <IconCamera size={16} aria-hidden />
          </UnstyledButton>
        )}
      </FileButton>
      <ErrorPanel error={error} />
    </>
  );
}
