/** The queue of the pharmacy. A scanned number opens its prescription. */
import { Anchor, NativeSelect } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { ItemList, RxLink, StatusBadge, Validity } from './prescription-parts.tsx';
import { idOfNumber, prescriptionKeys, readPrescriptions } from './prescriptions.queries.ts';
import { STATUSES } from './statuses.ts';

const route = getRouteApi('/prescriptions');

export function PrescriptionsPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const zone = usePerson().hospital?.timezone;
  useChanges('/api/hms/prescriptions/changes', prescriptionKeys.all);
  const open = async (rxNo: string) => {
    const id = await idOfNumber(rxNo);
    if (id !== undefined) await navigate({ to: '/prescriptions/$id', params: { id } });
    return id !== undefined;
  };
  return (
    <ListPage
      title={t('menu.prescriptions')}
      search={search}
      onSearch={(changes) =>
        void navigate({ search: (now) => ({ ...now, page: undefined, ...changes }), replace: 'q' in changes })
      }
      queryKey={prescriptionKeys.list(search)}
      read={(signal) => readPrescriptions(search, signal)}
      rowKey={({ id }) => id}
      searchLabel={t('prescriptions.search')}
      onEnter={open}
      empty={t(search.status === undefined ? 'prescriptions.nothingOpen' : 'prescriptions.empty')}
      filters={
        <NativeSelect
          label={t('prescriptions.status')}
          value={search.status ?? ''}
          onChange={({ currentTarget: { value } }) =>
            void navigate({
              search: (now) => ({
                ...now,
                page: undefined,
                status: value === 'all' ? 'all' : STATUSES.find((one) => one === value),
              }),
            })
          }
          data={[
            { value: '', label: t('prescriptions.open') },
            ...STATUSES.map((value) => ({ value, label: t(`prescriptions.statuses.${value}`) })),
            { value: 'all', label: t('prescriptions.all') },
          ]}
        />
      }
      columns={[
        { key: 'rxNo', title: t('prescriptions.rxNo'), render: (one) => <RxLink prescription={one} /> },
        {
          key: 'patient',
          title: t('prescriptions.patient'),
          render: ({ patientId, patientName, patientCode }) => (
            <>
              <Anchor
                size="sm"
                renderRoot={(props) => <Link to="/patients/$id" params={{ id: patientId }} {...props} />}
              >
                <bdi>{patientName}</bdi>
              </Anchor>{' '}
              <span className="hms-number">{patientCode}</span>
            </>
          ),
        },
        { key: 'drugs', title: t('prescriptions.drugs'), render: ({ items }) => <ItemList items={items} /> },
        {
          key: 'doctor',
          title: t('prescriptions.doctor'),
          render: ({ doctorName }) => <bdi>{doctorName ?? '–'}</bdi>,
        },
        {
          key: 'createdAt',
          title: t('prescriptions.written'),
          sortable: true,
          render: ({ createdAt }) => showMoment(createdAt, zone),
        },
        { key: 'validUntil', title: t('prescriptions.validUntil'), render: (one) => <Validity prescription={one} /> },
        { key: 'status', title: t('prescriptions.status'), render: ({ status }) => <StatusBadge status={status} /> },
      ]}
    />
  );
}
