/** Leads from a row of a list to the record that it is about, for those who may read it. */
import { Anchor, type AnchorProps } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, dataOf } from '../../../kit/api/api.ts';
import { type Operation, useMay } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { clockIn } from '../../../kit/time/time.ts';
import type { Listed } from './reports.queries.ts';

type Target = NonNullable<Listed['link']>['to'];

const NEEDED: Readonly<Record<Target, Operation>> = {
  appointment: 'readAppointment',
  'doctor-day': 'listAppointments',
  invoice: 'readInvoice',
  'lab-order': 'readLabOrder',
  patient: 'readPatient',
  prescription: 'readPrescription',
  shift: 'readShift',
  'stock-batch': 'readStockBatch',
  visitor: 'listVisitors',
};

const LOOK: AnchorProps = { size: 'sm', fw: 500 };

export function RecordLink({ record, children }: { readonly record: Listed; readonly children: ReactNode }) {
  const may = useMay();
  const { link } = record;
  if (!link || !may(NEEDED[link.to])) return children;
  if (link.to === 'appointment') return <AppointmentLink id={link.id}>{children}</AppointmentLink>;
  return <PlainLink {...{ record, link }}>{children}</PlainLink>;
}

interface PlainProps {
  readonly record: Listed;
  readonly link: NonNullable<Listed['link']>;
  readonly children: ReactNode;
}

function PlainLink({ record: { values }, link: { to, id }, children }: PlainProps) {
  const zone = usePerson().hospital?.timezone;
  const params = { id };
  const date = clockIn(zone, String(values.at)).slice(0, 10);
  return (
    <Anchor
      {...LOOK}
      renderRoot={(props) => {
        switch (to) {
          case 'invoice':
            return <Link to="/invoices/$id" params={params} {...props} />;
          case 'patient':
            return <Link to="/patients/$id" params={params} {...props} />;
          case 'lab-order':
            return <Link to="/laboratory/$id" params={params} {...props} />;
          case 'prescription':
            return <Link to="/prescriptions/$id" params={params} {...props} />;
          case 'shift':
            return <Link to="/shifts/$id" params={params} {...props} />;
          case 'stock-batch':
            return <Link to="/stock/batches/$id" params={params} {...props} />;
          case 'visitor':
            return <Link to="/visitors" search={{ tab: 'passes', q: String(values.passNo) }} {...props} />;
          default:
            return <Link to="/appointments" search={{ doctor: id, date }} {...props} />;
        }
      }}
    >
      {children}
    </Anchor>
  );
}

/** An appointment is shown on its day, among those of its doctor. Only the appointment says who that is. */
function AppointmentLink({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const zone = usePerson().hospital?.timezone;
  const open = async () => {
    const { doctorId, startsAt } = await queries.fetchQuery({
      queryKey: ['appointments', id],
      queryFn: () => dataOf(api.GET('/api/queue/appointments/{id}', { params: { path: { id } } })),
    });
    await navigate({ to: '/appointments', search: { doctor: doctorId, date: clockIn(zone, startsAt).slice(0, 10) } });
  };
  return (
    <Anchor {...LOOK} component="button" type="button" ta="start" onClick={() => void open()}>
      {children}
    </Anchor>
  );
}
