/** The families of the hospital, found by their name, their number or a member. */
import { Anchor } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { listQuery } from '../../../kit/lists/list-search.ts';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { patientKeys } from './patients.queries.ts';

const route = getRouteApi('/families');

export function FamiliesPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const zone = usePerson().hospital?.timezone;
  return (
    <ListPage
      title={t('family.all')}
      search={search}
      onSearch={(changes) => void navigate({ search: (now) => ({ ...now, ...changes }) })}
      queryKey={[patientKeys.all, 'families', search]}
      read={(signal) => {
        const query = listQuery(search);
        return envelopeOf(api.GET('/api/crm/families', { params: { query: query as never }, signal }));
      }}
      rowKey={({ id }) => id}
      empty={t('family.empty')}
      searchLabel={t('family.findFamily')}
      columns={[
        { key: 'name', title: t('family.familyName'), sortable: true, render: (family) => <Name of={family} /> },
        {
          key: 'familyCode',
          title: t('patients.code'),
          sortable: true,
          render: ({ familyCode }) => <span className="hms-number">{familyCode}</span>,
        },
        { key: 'createdAt', title: t('family.since'), render: ({ createdAt }) => showMoment(createdAt, zone) },
      ]}
    />
  );
}

function Name({ of: { id, name } }: { readonly of: Schemas['Family'] }) {
  return (
    <Anchor size="sm" fw={500} renderRoot={(props) => <Link to="/families/$id" params={{ id }} {...props} />}>
      <bdi>{name}</bdi>
    </Anchor>
  );
}
