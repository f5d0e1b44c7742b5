/** The owner of a hospital, and how somebody of the platform helps its people. */
import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Can } from '../../../kit/roles/can.tsx';
import { Facts } from '../../../kit/ui/facts.tsx';
import { valuesOf } from './fields.ts';
import type { ManagedHospital } from './hospitals.queries.ts';

const ACTING: string = '/impersonation';

export function People({ hospital }: { readonly hospital: ManagedHospital }) {
  const { t } = useTranslation();
  const { email, firstName, lastName } = valuesOf(hospital);
  return (
    <Stack className="hms-panel" p="lg" gap="md">
      <Facts
        facts={[
          { label: t('hospitals.owner'), value: email !== '' && <bdi>{`${firstName} ${lastName}`}</bdi> },
          { label: t('hospitals.email'), value: email !== '' && <bdi dir="ltr">{email}</bdi> },
        ]}
      />
      <Text size="sm">{t(email === '' ? 'hospitals.noOwner' : 'hospitals.ownerInvited')}</Text>
      <Can operation="startImpersonation">
        <Anchor renderRoot={(props) => <Link to={ACTING} {...props} />} size="sm">
          {t('menu.impersonation')}
        </Anchor>
      </Can>
    </Stack>
  );
}
