/** All figures of a dashboard, which come in one answer. */
import { Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import type { Period } from './period.ts';
import { dashboardQuery, type Report } from './reports.queries.ts';
import { Tile } from './tile.tsx';

interface Props {
  readonly name: string;
  readonly reports: readonly Report[];
  readonly period: Period;
}

export function Dashboard({ name, reports, period }: Props) {
  const found = useQuery({ ...dashboardQuery(name, period), placeholderData: keepPreviousData });
  if (found.isError && !found.isPlaceholderData && !found.data)
    return <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data)
    return (
      <div className="hms-dashboard" aria-busy>
        {[1, 2, 3, 4].map((tile) => (
          <Skeleton key={tile} height={360} animate={false} />
        ))}
      </div>
    );
  return (
    <div
      className={found.isPlaceholderData ? 'hms-dashboard hms-former' : 'hms-dashboard'}
      aria-busy={found.isPlaceholderData}
    >
      {found.data.tiles.map((tile) => {
        const report = reports.find((one) => one.name === tile.report);
        return report && <Tile key={`${tile.report} ${tile.figures.groupBy.join()}`} report={report} tile={tile} />;
      })}
    </div>
  );
}
