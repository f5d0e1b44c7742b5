/** Writes the draft of an invoice with all that a patient has to pay, and opens it. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { api, dataOf } from '../../../kit/api/api.ts';
import { useRun } from '../../../kit/session/login.tsx';
import { invoiceKeys } from './invoices.queries.ts';

export function useNewInvoice() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { isBusy, error, run } = useRun();
  // A repeated request makes no second draft.
  const key = useRef(crypto.randomUUID());
  const write = (patientId: string) =>
    run(async () => {
      const params = { header: { 'Idempotency-Key': key.current } };
      const draft = await dataOf(api.POST('/api/payment/invoices', { params, body: { patientId, openCharges: true } }));
      key.current = crypto.randomUUID();
      queries.setQueryData(invoiceKeys.one(draft.id), draft);
      void queries.invalidateQueries({ queryKey: [invoiceKeys.all] });
      await navigate({ to: '/invoices/$id', params: { id: draft.id } });
    })();
  return { isBusy, error, write };
}
