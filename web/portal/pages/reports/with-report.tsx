/** What pages of one report show until they know it. */
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { NotFoundPage } from '../../../kit/ui/page.tsx';
import { catalogueQuery, type Report } from './reports.queries.ts';

interface Props {
  readonly name: string;
  children(report: Report): ReactNode;
}

/** @param children of the report that the address names, if there is one for this person. */
export function WithReport({ name, children }: Props) {
  const { data, error, refetch } = useQuery(catalogueQuery);
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={360} animate={false} aria-busy />;
  const report = data.reports.find((one) => one.name === name);
  return report ? children(report) : <NotFoundPage />;
}
