/** Everybody who is or was a VIP. */
import { Anchor } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FilterCheckbox } from '../../../kit/lists/filter-checkbox.tsx';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { usePerson } from '../../../kit/session/use-session.ts';
import { todayIn } from '../../../kit/time/time.ts';
import { PhaseBadge, Validity } from './phase-badge.tsx';
import { type Membership, readMemberships, vipKey } from './vip.queries.ts';

const route = getRouteApi('/vip');

export function VipPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const today = todayIn(usePerson().hospital?.timezone);
  const change = (changes: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, page: undefined, ...changes }), replace: 'q' in changes });
  useChanges('/api/crm/vip-memberships/changes', vipKey);
  const { valid, ...listed } = search;
  return (
    <ListPage
      title={t('menu.vip')}
      search={search}
      onSearch={change}
      queryKey={[vipKey, 'list', search, today]}
      read={(signal) => readMemberships(listed, valid && today, signal)}
      rowKey={({ id }) => id}
      searchLabel={t('vip.search')}
      empty={t('vip.empty')}
      filters={
        <FilterCheckbox label={t('vip.onlyValid')} checked={valid === true} onChange={(on) => change({ valid: on })} />
      }
      columns={[
        {
          key: 'patient',
          title: t('vip.holder'),
          render: (membership) => <Holder of={membership} />,
        },
        {
          key: 'membershipNo',
          title: t('vip.number'),
          sortable: true,
          render: ({ membershipNo }) => <span className="hms-number">{membershipNo}</span>,
        },
        { key: 'tier', title: t('vip.tier'), render: ({ tierName }) => <bdi>{tierName}</bdi> },
        {
          key: 'validTo',
          title: t('vip.validity'),
          sortable: true,
          render: (membership) => <Validity {...membership} />,
        },
        { key: 'phase', title: t('vip.phase'), render: ({ phase }) => <PhaseBadge phase={phase} /> },
      ]}
    />
  );
}

/** Whose it is, with a link to the record: of the patient, or of the primary contact of the family. */
function Holder({ of }: { readonly of: Membership }) {
  const { t } = useTranslation();
  const { patientName, familyName, patientCode, familyCode } = of;
  const name = familyName === null ? patientName : t('vip.family', { name: familyName });
  const shown = (
    <>
      <bdi>{name}</bdi> <span className="hms-number">{patientCode ?? familyCode}</span>
    </>
  );
  const id = of.patientId ?? of.primaryContactId;
  // A family that is closed has nobody.
  if (id === null) return shown;
  return (
    <Anchor
      size="sm"
      fw={500}
      renderRoot={(props) => <Link to="/patients/$id" params={{ id }} search={{ tab: 'vip' }} {...props} />}
    >
      {shown}
    </Anchor>
  );
}
