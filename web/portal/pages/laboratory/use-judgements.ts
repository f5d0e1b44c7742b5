import type { Schemas } from '@hms/api-client';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../../kit/api/api.ts';

interface Typed {
  readonly itemId: string;
  readonly value: string;
}

/** Until somebody has typed a value, in ms. */
const PAUSE = 400;

/** How the laboratory flags what is typed, by test. Values that it was not asked about yet have nothing. */
export function useJudgements(orderId: string, typed: readonly Typed[]): ReadonlyMap<string, Schemas['LabJudgement']> {
  const [asked] = useDebouncedValue(JSON.stringify(typed), PAUSE);
  const values = JSON.parse(asked) as Typed[];
  const { data } = useQuery({
    queryKey: ['lab-judgements', orderId, asked],
    enabled: values.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const request = { params: { path: { id: orderId } }, body: { values }, signal };
      const judged = await dataOf(api.POST('/api/hms/lab-orders/{id}/judge', request));
      return judged.map((one, index) => ({ ...one, value: values[index]?.value }));
    },
  });
  const isStillTyped = ({ itemId, value }: { readonly itemId: string; readonly value: string | undefined }) =>
    typed.some((one) => one.itemId === itemId && one.value === value);
  return new Map(data?.filter(isStillTyped).map((one) => [one.itemId, one]));
}
