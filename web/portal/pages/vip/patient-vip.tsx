/** The VIP memberships of a patient and of their family, for the record. */
import { NewVipMembership } from '@hms/api-client/limits/NewVipMembership';
import { Button, Group, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { type ApiError, api, dataOf } from '../../../kit/api/api.ts';
import { Choice } from '../../../kit/forms/choice.tsx';
import { DayField } from '../../../kit/forms/day-field.tsx';
import { dayOrNone } from '../../../kit/forms/day-input.tsx';
import { textIn } from '../../../kit/forms/limits.ts';
import { ReasonForm } from '../../../kit/forms/reason-form.tsx';
import { Field, FormBody, type RecordForm, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { useMay } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { todayIn } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { familyQuery, type Patient } from '../patients/patients.queries.ts';
import { PhaseBadge, Validity } from './phase-badge.tsx';
import { type Membership, membershipsQuery, tiersQuery, vipKey } from './vip.queries.ts';

type Step = 'suspend' | 'cancel';
/** What is open below the memberships. */
type Open = { readonly step: Step; readonly of: Membership } | { readonly lastDayOf: Membership } | 'new';

export function PatientVip({ patient }: { readonly patient: Patient }) {
  const { t } = useTranslation();
  const may = useMay();
  const queries = useQueryClient();
  const found = useQuery(membershipsQuery(patient.id));
  const [open, setOpen] = useState<Open>();
  const { error, isBusy, run } = useRun();
  useChanges('/api/crm/vip-memberships/changes', vipKey);
  if (!found.data) return <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />;
  const done = () => {
    setOpen(undefined);
    void queries.invalidateQueries({ queryKey: [vipKey] });
  };
  const mayWrite = may('createVipMembership');
  const resume = ({ id, version }: Membership) =>
    run(async () => {
      const sent = { params: { path: { id } }, body: { version } };
      await dataOf(api.POST('/api/crm/vip-memberships/{id}/resume', sent));
      done();
    });
  return (
    <Stack className="hms-panel" gap="sm" pb="md">
      {error !== undefined && (
        <Stack px="md" pt="md">
          <ErrorPanel error={error} />
        </Stack>
      )}
      {found.data.length === 0 ? (
        <Text p="xl" ta="center" c="dimmed">
          {t('vip.none')}
        </Text>
      ) : (
        <DataTable
          label={t('menu.vip')}
          rows={found.data}
          rowKey={({ id }) => id}
          columns={[
            {
              key: 'number',
              title: t('vip.number'),
              render: ({ membershipNo }) => <span className="hms-number">{membershipNo}</span>,
            },
            { key: 'tier', title: t('vip.tier'), render: ({ tierName }) => <bdi>{tierName}</bdi> },
            {
              key: 'holder',
              title: t('vip.holder'),
              render: ({ familyName }) =>
                familyName === null ? t('vip.thisPatient') : <bdi>{t('vip.family', { name: familyName })}</bdi>,
            },
            { key: 'validity', title: t('vip.validity'), render: (membership) => <Validity {...membership} /> },
            {
              key: 'phase',
              title: t('vip.phase'),
              render: ({ phase, reason }) => (
                <Group gap={6}>
                  <PhaseBadge phase={phase} />
                  {reason !== null && <bdi>{reason}</bdi>}
                </Group>
              ),
            },
            { key: 'notes', title: t('vip.notes'), render: ({ notes }) => <bdi>{notes ?? '–'}</bdi> },
            ...(mayWrite
              ? [
                  {
                    key: 'actions',
                    title: t('list.actions'),
                    render: (of: Membership) => (
                      <Group gap={4}>
                        {of.phase === 'suspended' && (
                          <Button size="compact-sm" variant="subtle" loading={isBusy} onClick={resume(of)}>
                            {t('vip.resume')}
                          </Button>
                        )}
                        {(of.phase === 'current' || of.phase === 'upcoming') && (
                          <Button size="compact-sm" variant="subtle" onClick={() => setOpen({ step: 'suspend', of })}>
                            {t('vip.suspend')}
                          </Button>
                        )}
                        {of.phase !== 'ended' && of.phase !== 'cancelled' && (
                          <>
                            <Button size="compact-sm" variant="subtle" onClick={() => setOpen({ lastDayOf: of })}>
                              {t('vip.lastDay')}
                            </Button>
                            <Button
                              size="compact-sm"
                              variant="subtle"
                              color="bad"
                              onClick={() => setOpen({ step: 'cancel', of })}
                            >
                              {t('vip.cancel')}
                            </Button>
                          </>
                        )}
                      </Group>
                    ),
                  },
                ]
              : []),
          ]}
        />
      )}
      {mayWrite && (
        <Stack px="md">
          {open === undefined && (
            <Group>
              <Button variant="default" onClick={() => setOpen('new')}>
                {t('vip.new')}
              </Button>
            </Group>
          )}
          {open === 'new' && <NewMembership patient={patient} onDone={done} />}
          {typeof open === 'object' && 'lastDayOf' in open && <LastDay of={open.lastDayOf} onDone={done} />}
          {typeof open === 'object' && 'step' in open && (
            <ReasonForm
              key={open.step + open.of.id}
              label={t(`vip.why.${open.step}`, { number: open.of.membershipNo })}
              submitLabel={t(`vip.${open.step}`)}
              onCancel={() => setOpen(undefined)}
              onSaved={done}
              save={(reason) => {
                const { id, version } = open.of;
                const sent = { params: { path: { id } }, body: { reason, version } };
                return dataOf(api.POST(`/api/crm/vip-memberships/{id}/${open.step}`, sent));
              }}
            />
          )}
        </Stack>
      )}
    </Stack>
  );
}

const newFields = z.object({
  holder: z.enum(['patient', 'family']),
  tierId: z.string().check(z.minLength(1, 'choose')),
  validFrom: z.iso.date('day'),
  validTo: dayOrNone,
  notes: textIn(NewVipMembership.notes),
});
type NewFields = z.output<typeof newFields>;

interface NewProps {
  readonly patient: Patient;
  onDone(): void;
}

function NewMembership({ patient, onDone }: NewProps) {
  const { t } = useTranslation();
  const family = useQuery(familyQuery(patient.id, patient.familyId)).data;
  const tiers = useQuery(tiersQuery()).data ?? [];
  const today = todayIn(usePerson().hospital?.timezone);
  const form: RecordForm<NewFields> = useRecordForm<NewFields, unknown>({
    schema: newFields,
    values: { holder: 'patient', tierId: '', validFrom: today, validTo: '', notes: '' },
    save: ({ holder, validTo, notes, ...values }, key) =>
      dataOf(
        api.POST('/api/crm/vip-memberships', {
          params: { header: { 'Idempotency-Key': key } },
          body: { ...values, ...holderOf(patient, holder), validTo: validTo || null, notes: notes || null },
        }),
      ),
    onSaved: onDone,
    onError: ({ code, details }: ApiError) => {
      const other = details.membership as { readonly membershipNo: string } | undefined;
      if (code !== 'VIP_OVERLAP' || !other) return false;
      form.form.setError('validFrom', { message: t('vip.overlap', { number: other.membershipNo }) });
      return true;
    },
  });
  return (
    <FormBody of={form} label={t('vip.new')} submitLabel={t('vip.create')} onCancel={onDone}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        {family && (
          <NativeSelect
            {...form.form.register('holder')}
            label={t('vip.holder')}
            data={[
              { value: 'patient', label: t('vip.thisPatient') },
              { value: 'family', label: t('vip.family', { name: family.name }) },
            ]}
          />
        )}
        <Choice
          of={form}
          name="tierId"
          label={t('vip.tier')}
          autoFocus
          data={tiers.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Field of={form} name="notes" label={t('vip.notes')} autoComplete="off" />
        <DayField of={form} name="validFrom" label={t('vip.validFrom')} />
        <DayField of={form} name="validTo" label={t('vip.validTo')} description={t('vip.validToHow')} />
      </SimpleGrid>
    </FormBody>
  );
}

/** Whose a new membership is. */
function holderOf({ id, familyId }: Patient, holder: NewFields['holder']) {
  return holder === 'family' && familyId !== null ? { familyId } : { patientId: id };
}

const lastDay = z.object({ validTo: dayOrNone });

function LastDay({ of, onDone }: { readonly of: Membership; onDone(): void }) {
  const { t } = useTranslation();
  const { id, version } = of;
  const form: RecordForm<z.output<typeof lastDay>> = useRecordForm<z.output<typeof lastDay>, unknown>({
    schema: lastDay,
    values: { validTo: of.validTo?.slice(0, 10) ?? '' },
    save: ({ validTo }) =>
      dataOf(
        api.PUT('/api/crm/vip-memberships/{id}', {
          params: { path: { id } },
          body: { validTo: validTo || null, version },
        }),
      ),
    onSaved: onDone,
  });
  return (
    <FormBody of={form} label={t('vip.lastDay')} submitLabel={t('form.save')} onCancel={onDone}>
      <DayField
        of={form}
        name="validTo"
        label={`${t('vip.validTo')} (${of.membershipNo})`}
        description={t('vip.validToHow')}
        autoFocus
        maw="16rem"
      />
    </FormBody>
  );
}
