/** One order: the next step of each specimen, its results, and the report. */

import { Alert, Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { openPdf } from '../../../kit/api/pdf.ts';
import { PageHead, TITLE } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { bornText, nameOf } from '../patients/identity.ts';
import { Acknowledge } from './acknowledge.tsx';
import { CancelForm } from './cancel.form.tsx';
import { type LabOrder, type LabSpecimen, labChanges, labKeys, orderQuery } from './laboratory.queries.ts';
import { ReportButtons, StatusBadge } from './order-parts.tsx';
import { PriorityBadge } from './result-parts.tsx';
import { SpecimenScan } from './scan-field.tsx';
import { collectButton, Specimen, specimenTitle } from './specimen.tsx';
import { valueInput, verifyButton } from './specimen-results.tsx';
import { useShowOrder } from './use-order.ts';

const route = getRouteApi('/laboratory/$id');

export function LabOrderPage() {
  const { id } = route.useParams();
  const found = useQuery(orderQuery(id));
  useChanges(labChanges, labKeys.all);
  if (found.data) return <Order key={id} order={found.data} />;
  return found.isError ? (
    <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
  ) : (
    <Skeleton height={240} animate={false} aria-busy />
  );
}

function Order({ order }: { readonly order: LabOrder }) {
  const { t } = useTranslation();
  const may = useMay();
  const { specimen: scanned, at } = route.useSearch();
  const zone = usePerson().hospital?.timezone;
  const { patient, orderNo, priority, status, doctor, createdAt, clinicalNote, cancelReason, specimens } = order;
  const isBench = may('enterLabResults') || may('collectLabSpecimens');
  useStepOf(order, scanned, at);
  // What is to be done comes first, rejected specimens last, unless somebody has such a tube in the hand.
  const isLast = (specimen: LabSpecimen) => isOut(specimen) && specimen.accessionNo !== scanned;
  const sorted = specimens.toSorted((one, other) => Number(isLast(one)) - Number(isLast(other)));
  return (
    <Stack gap="md">
      <Stack gap={4}>
        <PageHead title={nameOf(patient)}>{isBench && <SpecimenScan />}</PageHead>
        <Group gap="lg">
          <Anchor
            size="sm"
            fw={600}
            className="hms-number"
            renderRoot={(props) => (
              <Link to="/patients/$id" params={{ id: patient.id }} search={{ tab: 'laboratory' }} {...props} />
            )}
          >
            {patient.patientCode}
          </Anchor>
          <Text size="sm">
            {bornText(t, patient.dateOfBirth, createdAt)}
            {patient.gender && `, ${t(`patients.genders.${patient.gender}`)}`}
          </Text>
        </Group>
        <Group gap="sm">
          <Text size="sm" className="hms-number" fw={600}>
            {orderNo}
          </Text>
          <PriorityBadge priority={priority} />
          <StatusBadge status={status} />
          <Text size="sm" c="dimmed">
            {doctor
              ? t('laboratory.orderedBy', { name: doctor.name, time: showMoment(createdAt, zone) })
              : showMoment(createdAt, zone)}
          </Text>
        </Group>
        {clinicalNote !== null && (
          <Text size="sm">
            {t('laboratory.clinicalNote')}: <bdi>{clinicalNote}</bdi>
          </Text>
        )}
        {cancelReason !== null && (
          <Text size="sm">
            {t('laboratory.cancelled')}: <bdi>{cancelReason}</bdi>
          </Text>
        )}
      </Stack>
      {order.toAcknowledge > 0 && (
        <Alert role="status" color="bad" variant="outline" title={t('laboratory.hasCritical')}>
          <Acknowledge order={order} />
        </Alert>
      )}
      <Actions order={order} />
      {sorted.map((specimen) => (
        <Specimen key={specimen.id} order={order} specimen={specimen} isScanned={specimen.accessionNo === scanned} />
      ))}
    </Stack>
  );
}

const isOut = ({ status }: LabSpecimen) => status === 'rejected' || status === 'cancelled';

/** The cursor goes to what is to be done with the scanned specimen. */
function useStepOf({ specimens, items }: LabOrder, scanned: string | undefined, at: number | undefined): void {
  const specimen = specimens.find(({ accessionNo }) => accessionNo === scanned);
  const missing = items.find((item) => item.specimenId === specimen?.id && !item.result && item.status !== 'cancelled');
  const step = specimen && stepOf(specimen, missing?.id);
  // Only a scan moves the cursor, not what changes later.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (step === undefined) return;
    const timer = setTimeout(() => {
      const target = document.getElementById(step) ?? document.getElementById(TITLE);
      target?.focus();
      target?.scrollIntoView({ block: 'center' });
    }, 100);
    return () => clearTimeout(timer);
  }, [scanned, at]);
}

/** @param missingId item without a result. @returns the id of the element where the specimen needs the cursor. */
function stepOf(specimen: LabSpecimen, missingId: string | undefined): string {
  if (specimen.status === 'expected') return collectButton(specimen);
  if (isOut(specimen)) return specimenTitle(specimen);
  return missingId === undefined ? verifyButton(specimen) : valueInput(missingId);
}

/** What concerns the whole order: reports, collecting everything at once, and the end of it. */
function Actions({ order }: { readonly order: LabOrder }) {
  const { t } = useTranslation();
  const show = useShowOrder();
  const { isBusy, error, run } = useRun();
  const [isCancelling, setCancelling] = useState(false);
  const path = { id: order.id };
  const collectAll = run(() =>
    openPdf(async () => {
      show(await dataOf(api.POST('/api/hms/lab-orders/{id}/collect', { params: { path }, body: {} })));
      return `/api/hms/lab-orders/${order.id}/labels`;
    }),
  );
  const mayEnd = order.items.some(({ status, result }) => status !== 'cancelled' && result === null);
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <ReportButtons order={order} />
        {order.toCollect > 1 && (
          <Can operation="collectLabSpecimens">
            <Button
              size="compact-md"
              loading={isBusy}
              leftSection={<IconPrinter size={16} aria-hidden />}
              onClick={collectAll}
            >
              {t('laboratory.collectAll', { count: order.toCollect })}
            </Button>
          </Can>
        )}
        {mayEnd && (
          <Can operation="cancelLabOrder">
            <Button size="compact-md" variant="default" c="bad" onClick={() => setCancelling(true)}>
              {t('laboratory.cancel')}
            </Button>
          </Can>
        )}
      </Group>
      <ErrorPanel error={error} />
      {isCancelling && (
        <CancelForm
          order={order}
          onSaved={(saved) => {
            setCancelling(false);
            show(saved);
          }}
          onCancel={() => setCancelling(false)}
        />
      )}
    </Stack>
  );
}
