/** The audit log of the hospital. */

import { Button, CloseButton, NativeSelect, TextInput } from '@mantine/core';
import { IconDownload, IconFilterOff } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, envelopeOf } from '../../../kit/api/api.ts';
import { saveFile } from '../../../kit/api/file.ts';
import { DayInput } from '../../../kit/forms/day-input.tsx';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { listQuery } from '../../../kit/lists/list-search.ts';
import { BusyButton } from '../../../kit/ui/busy-button.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { EmployeePicker, fullName } from '../employees/employee-picker.tsx';
import { PatientPicker } from '../patients/patient-picker.tsx';
import { ACTIONS } from './actions.ts';
import { useEventColumns } from './event-columns.tsx';
import { TABLES } from './tables.ts';

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
  const [error, setError] = useState<unknown>();
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
      action={<Export filters={filters} onError={setError} />}
      above={<ErrorPanel error={error} />}
      filters={
        <>
          <PersonFilter
            value={filters.actor ?? filters.actorEmail}
            onChange={(actor) => change({ actor: undefined, actorEmail: undefined, ...actor })}
          />
          <PatientFilter value={filters.patientId} onChange={(patientId) => change({ patientId })} />
          <NativeSelect
            label={t('audit.what')}
            value={filters.action ?? ''}
            onChange={(event) => change({ action: ACTIONS.find((one) => one === event.currentTarget.value) })}
            data={[
              { value: '', label: t('audit.all') },
              ...ACTIONS.map((value) => ({ value, label: t(`audit.action.${value}`) })),
            ]}
          />
          <NativeSelect
            label={t('audit.about')}
            value={filters.record ?? ''}
            onChange={(event) => change({ record: TABLES.find((one) => one === event.currentTarget.value) })}
            data={[
              { value: '', label: t('audit.everything') },
              ...TABLES.map((value) => ({ value, label: t(`audit.table.${value}`) })),
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
                  actor: undefined,
                  actorEmail: undefined,
                  action: undefined,
                  record: undefined,
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

/** The events that are shown, as a file. */
function Export({
  filters,
  onError,
}: {
  readonly filters: Readonly<Record<string, string | undefined>>;
  onError(error: unknown): void;
}) {
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    onError(undefined);
    const set = Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    // Spreadsheets read Arabic in a CSV file only with the byte order mark.
    const query = new URLSearchParams([...set, ['bom', 'true']]);
    await saveFile(`/api/auth/audit/export?${query}`).catch(onError);
    setBusy(false);
  };
  return (
    <BusyButton
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      isBusy={isBusy}
      onClick={() => void save()}
    >
      {t('audit.export')}
    </BusyButton>
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
  const [picked, setPicked] = useState<Picked>();
  if (value === undefined) {
    return (
      <PatientPicker
        label={t('audit.patient')}
        onPick={({ id, patientCode }) => {
          setPicked({ value: id, name: patientCode });
          onChange(id);
        }}
      />
    );
  }
  return (
    <Chosen
      label={t('audit.patient')}
      text={picked?.value === value ? picked.name : t('audit.onePatient')}
      clear={t('audit.allPatients')}
      onClear={() => onChange(undefined)}
    />
  );
}

/** What one person did: an employee, or whoever has an email address, such as an administrator of the platform. */
function PersonFilter({
  value,
  onChange,
}: {
  readonly value: string | undefined;
  onChange(actor: { readonly actor?: string; readonly actorEmail?: string }): void;
}) {
  const { t } = useTranslation();
  const [picked, setPicked] = useState<Picked>();
  if (value === undefined) {
    return (
      <EmployeePicker
        label={t('audit.person')}
        placeholder={t('audit.personHint')}
        without={NOBODY}
        withFormer
        onOther={(text) => {
          if (EMAIL.test(text)) onChange({ actorEmail: text });
          return EMAIL.test(text);
        }}
        onPick={(employee) => {
          // Without an account, there is only the address.
          const { accountId, email } = employee;
          setPicked({ value: accountId ?? email, name: fullName(employee) });
          onChange(accountId === null ? { actorEmail: email } : { actor: accountId });
        }}
      />
    );
  }
  return (
    <Chosen
      label={t('audit.person')}
      text={picked?.value === value ? picked.name : value.includes('@') ? value : t('audit.onePerson')}
      clear={t('audit.allPeople')}
      onClear={() => onChange({})}
    />
  );
}

const NOBODY: readonly string[] = [];
const EMAIL = /^[^\s@]+@[^\s@]+$/;

interface Picked {
  readonly value: string;
  readonly name: string;
}

/** A filter that is set. */
function Chosen({
  label,
  text,
  clear,
  onClear,
}: {
  readonly label: string;
  readonly text: string;
  readonly clear: string;
  onClear(): void;
}) {
  return (
    <TextInput
      label={label}
      value={text}
      readOnly
      rightSection={<CloseButton aria-label={clear} onClick={onClear} />}
    />
  );
}
