/** When somebody of the platform acted as somebody of the hospital. An owner ends it here. */
import { Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, envelopeOf } from '../../../kit/api/api.ts';
import { IMPERSONATIONS, useImpersonationColumns } from '../../../kit/impersonations/columns.tsx';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { listQuery } from '../../../kit/lists/list-search.ts';
import { usePerson } from '../../../kit/session/use-session.ts';

const route = getRouteApi('/support-access');

export function SupportAccessPage() {
  const { t } = useTranslation();
  const { permissions, impersonation } = usePerson();
  const columns = useImpersonationColumns({ mayEnd: !impersonation && permissions.includes('impersonations.end') });
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <ListPage
      title={t('menu.supportAccess')}
      search={search}
      onSearch={(changes) => void navigate({ search: (now) => ({ ...now, ...changes }) })}
      queryKey={[IMPERSONATIONS, search]}
      read={(signal) =>
        envelopeOf(api.GET('/api/auth/impersonations', { params: { query: listQuery({ page: search.page }) }, signal }))
      }
      rowKey={({ id }) => id}
      empty={t('acting.supportNone')}
      columns={columns}
      filters={
        <Text size="sm" c="dimmed">
          {t('acting.supportHow')}
        </Text>
      }
    />
  );
}
