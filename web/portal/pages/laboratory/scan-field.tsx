/** A scanned number of a specimen opens what is to be done with the specimen. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../kit/api/api.ts';
import { ScanField } from '../../../kit/forms/scan-field.tsx';
import { accessionNoIn, labKeys, orderOfSpecimen } from './laboratory.queries.ts';

/** Opens the order of a specimen. @throws ApiError */
function useScan() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const shown = useParams({ strict: false }).id;
  return async (text: string) => {
    const number = accessionNoIn(text) ?? text.trim();
    const order = await orderOfSpecimen(number);
    queries.setQueryData(labKeys.one(order.id), order);
    // The time makes a second scan of the same specimen another one.
    const search = { specimen: number, at: Date.now() };
    // What is typed stays when the cursor goes to another tube of the same order.
    const ignoreBlocker = order.id === shown;
    await navigate({ to: '/laboratory/$id', params: { id: order.id }, search, ignoreBlocker });
  };
}

const SCAN_FIELD = 'lab-scan';

/** For the next scan. */
export function focusScanField(): void {
  document.getElementById(SCAN_FIELD)?.focus();
}

export function SpecimenScan({ isFirst = false }: { readonly isFirst?: boolean }) {
  const { t } = useTranslation();
  const open = useScan();
  const scan = async (text: string) => {
    try {
      await open(text);
      return undefined;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return t('laboratory.unknownSpecimen');
      throw error;
    }
  };
  return (
    <ScanField
      id={SCAN_FIELD}
      label={t('laboratory.scan')}
      placeholder="S-000123"
      onScan={scan}
      numberIn={accessionNoIn}
      isFirst={isFirst}
    />
  );
}
