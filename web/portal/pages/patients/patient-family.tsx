/** The family of a patient. */
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { FamilyPanel, useFamilyChanged } from './family-panel.tsx';
import { NoFamily } from './no-family.tsx';
import { familyQuery, type Patient } from './patients.queries.ts';

export function PatientFamily({ patient }: { readonly patient: Patient }) {
  const { t } = useTranslation();
  const family = useQuery(familyQuery(patient.id, patient.familyId));
  const changed = useFamilyChanged();
  if (patient.familyId === null) return <NoFamily patient={patient} onChanged={changed} />;
  if (!family.data) return <ErrorPanel error={family.error} onRetry={() => void family.refetch()} />;
  const { id } = family.data;
  const open = (
    <Anchor size="sm" renderRoot={(props) => <Link to="/families/$id" params={{ id }} {...props} />}>
      {t('family.open')}
    </Anchor>
  );
  return <FamilyPanel family={family.data} action={open} />;
}
