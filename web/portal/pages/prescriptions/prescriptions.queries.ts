/** What the pages of prescriptions read. */
import { queryOptions } from '@tanstack/react-query';
import { ApiError, api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { openTab } from '../../../kit/api/pdf.ts';
import { type ListSearch, listQuery } from '../../../kit/lists/list-search.ts';

export type Prescription = Schemas['ShownPrescription'];
export type PrescriptionItem = Prescription['items'][number];
export type Dispense = Schemas['ShownDispense'];
export type Proposal = Schemas['DispenseProposal'];
export type Finding = Schemas['PrescriptionFinding'];

/** Without a status, those of which something is left. */
export interface PrescriptionSearch extends ListSearch {
  readonly status?: Prescription['status'] | 'all' | undefined;
}

export const prescriptionKeys = {
  all: 'prescriptions',
  list: (search: PrescriptionSearch) => ['prescriptions', 'list', search] as const,
  one: (id: string) => ['prescriptions', id] as const,
  dispenses: (id: string) => ['prescriptions', id, 'dispenses'] as const,
  ofPatient: (id: string, page: number | undefined) => ['prescriptions', 'patient', id, page] as const,
  check: (body: object) => ['prescriptions', 'check', body] as const,
};

export function readPrescriptions({ status, ...search }: PrescriptionSearch, signal: AbortSignal) {
  const wanted = status === undefined ? { open: 'true' as const } : status === 'all' ? {} : { status };
  const query = { ...listQuery(search), ...wanted };
  return envelopeOf(api.GET('/api/hms/prescriptions', { params: { query }, signal }));
}

/** The id of the prescription with this number, such as the one on a PDF. */
export async function idOfNumber(rxNo: string): Promise<string | undefined> {
  const query = { rxNo: rxNo.toUpperCase(), limit: 1 };
  const [found] = await dataOf(api.GET('/api/hms/prescriptions', { params: { query } }));
  return found?.id;
}

export function readOfPatient(patientId: string, page: number | undefined, signal: AbortSignal) {
  const query = { ...listQuery({ page }), patientId };
  return envelopeOf(api.GET('/api/hms/prescriptions', { params: { query }, signal }));
}

export function prescriptionQuery(id: string) {
  return queryOptions({
    queryKey: prescriptionKeys.one(id),
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/prescriptions/{id}', { params: { path: { id } }, signal })),
  });
}

export function dispensesQuery(prescriptionId: string) {
  return queryOptions({
    queryKey: prescriptionKeys.dispenses(prescriptionId),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/hms/dispenses', { params: { query: { prescriptionId, limit: 100 } }, signal })),
  });
}

const POLLS = 15;
const POLL_MS = 1_000;

/** Opens the PDF in another tab. A new prescription is rendered within seconds. @throws ApiError */
export function openPdfOf(id: string): Promise<void> {
  return openTab(async () => {
    for (let poll = 1; ; poll += 1) {
      try {
        return (await dataOf(api.GET('/api/hms/prescriptions/{id}/pdf', { params: { path: { id } } }))).url;
      } catch (error) {
        const isEarly = error instanceof ApiError && error.code === 'PRESCRIPTION_PDF_NOT_READY';
        if (!isEarly || poll === POLLS) throw error;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    }
  });
}
