/** The imports of the last weeks: what became of them, and those that wait for somebody to start them. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, envelopeOf } from '../../../kit/api/api.ts';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { importKeys } from './imports.queries.ts';

/** Nothing without imports. */
export function EarlierImports() {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  const found = useQuery({
    queryKey: importKeys.list,
    queryFn: ({ signal }) => {
      const params = { query: { limit: 20, sort: '-createdAt' as const } };
      return envelopeOf(api.GET('/api/hms/patient-imports', { params, signal }));
    },
  });
  if (!found.data?.data.length) return null;
  return (
    <div className="hms-panel">
      <Text fw={500} px="md" pt="md" aria-hidden>
        {t('import.earlier')}
      </Text>
      <DataTable
        label={t('import.earlier')}
        rows={found.data.data}
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'fileName',
            title: t('import.file'),
            render: ({ id, fileName }) => (
              <Link to="/patients/import" search={{ id }}>
                <bdi>{fileName}</bdi>
              </Link>
            ),
          },
          { key: 'createdAt', title: t('import.uploaded'), render: ({ createdAt }) => showMoment(createdAt, zone) },
          { key: 'status', title: t('import.state'), render: ({ status }) => t(`import.states.${status}`) },
          { key: 'total', title: t('import.total'), render: ({ total }) => total },
          { key: 'imported', title: t('import.progress'), render: ({ imported }) => imported },
          { key: 'wrong', title: t('import.problems'), render: ({ wrong }) => wrong },
        ]}
      />
    </div>
  );
}
