import { useQueryClient } from '@tanstack/react-query';
import { type LabOrder, labKeys } from './laboratory.queries.ts';

/** Shows an order as a step has left it. Lists and counts are read again. */
export function useShowOrder() {
  const queries = useQueryClient();
  return (order: LabOrder) => {
    queries.setQueryData(labKeys.one(order.id), order);
    void queries.invalidateQueries({
      queryKey: [labKeys.all],
      predicate: ({ queryKey: [, second] }) => second !== order.id,
    });
  };
}
