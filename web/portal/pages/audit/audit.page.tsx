/** The audit log of the hospital. */

import { Button, CloseButton, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconFilterOff } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, envelopeOf } from '../../../kit/api/api.ts';
import { DayInput } from '../../../kit/forms/day-input.tsx';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { listQuery } from '../../../kit/lists/list-search.ts';
import { PatientPicker } from '../patients/patient-picker.tsx';
import type { Patient } from '../patients/patients.queries.ts';
import { ACTIONS } from './actions.ts';
import { useEventColumns } from './event-columns.tsx';

const route = getRouteApi('/audit');

export function AuditPage() {
  const { t } = useTranslation();
  const columns = useEventColumns();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (changes: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, page: undefined, ...changes }) });
  const { page, sort: _, q: __, ...filters } = search;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <ListPage
      title={t('menu.audit')}
      search={search}
      onSearch={change}
      queryKey={['audit', search]}
      read={(signal) =>
        envelopeOf(api.GET('/api/auth/audit', { params: { query: { ...listQuery({ page }), ...filters } }, signal }))
      }
      rowKey={({ seq }) => String(seq)}
      empty={t('audit.empty')}
      columns={columns}
      filters={
        <>
          <PatientFilter value={filters.patientId} onChange={(patientId) => change({ patientId })} />
          <EmailFilter value={filters.actorEmail} onChange={(actorEmail) => change({ actorEmail })} />
          <NativeSelect
            label={t('audit.what')}
            value={filters.action ?? ''}
            onChange={(event) => change({ action: ACTIONS.find((one) => one === event.currentTarget.value) })}
            data={[
              { value: '', label: t('audit.all') },
              ...ACTIONS.map((value) => ({ value, label: t(`audit.action.${value}`) })),
            ]}
          />
          <DayInput
            label={t('audit.from')}
            value={filters.from ?? ''}
            isLive
            onChange={(value) => change({ from: value || undefined })}
          />
          <DayInput
            label={t('audit.to')}
            value={filters.to ?? ''}
            isLive
            onChange={(value) => change({ to: value || undefined })}
          />
          {isFiltered && (
            <Button
              variant="subtle"
              leftSection={<IconFilterOff size={16} aria-hidden />}
              onClick={() =>
                change({
                  patientId: undefined,
                  actorEmail: undefined,
                  action: undefined,
                  from: undefined,
                  to: undefined,
                })
              }
            >
              {t('audit.clear')}
            </Button>
          )}
        </>
      }
    />
  );
}

/** The events about one patient, and the lists that showed them. */
function PatientFilter({
  value,
  onChange,
}: {
  readonly value: string | undefined;
  onChange(patientId: string | undefined): void;
}) {
  const { t } = useTranslation();
  const [picked, setPicked] = useState<Pick<Patient, 'id' | 'patientCode'>>();
  if (value === undefined) {
    return (
      <PatientPicker
        label={t('audit.patient')}
        onPick={(patient) => {
          setPicked(patient);
          onChange(patient.id);
        }}
      />
    );
  }
  return (
    <TextInput
      label={t('audit.patient')}
      value={picked?.id === value ? picked.patientCode : t('audit.onePatient')}
      readOnly
      rightSection={<CloseButton aria-label={t('audit.allPatients')} onClick={() => onChange(undefined)} />}
    />
  );
}

function EmailFilter({
  value,
  onChange,
}: {
  readonly value: string | undefined;
  onChange(email: string | undefined): void;
}) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value ?? '');
  const report = useDebouncedCallback((text: string) => onChange(text.includes('@') ? text.trim() : undefined), 400);
  return (
    <TextInput
      type="email"
      label={t('audit.email')}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        report(event.currentTarget.value);
      }}
    />
  );
}
