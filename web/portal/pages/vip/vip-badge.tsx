/** That a patient is a VIP, beside their name. */
import { Badge } from '@mantine/core';
import { IconCrown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../../kit/roles/can.tsx';
import { membershipsQuery } from './vip.queries.ts';

export function VipBadge({ patientId }: { readonly patientId: string }) {
  const may = useMay()('listVipMemberships');
  const found = useQuery({ ...membershipsQuery(patientId), enabled: may });
  const current = (found.data ?? []).filter(({ phase }) => phase === 'current');
  const tiers = [...new Set(current.map(({ tierName }) => tierName))];
  if (tiers.length === 0) return null;
  return (
    <Badge color="#7a4a00" variant="outline" tt="none" leftSection={<IconCrown size={14} aria-hidden />}>
      <bdi>VIP {tiers.join(', ')}</bdi>
    </Badge>
  );
}
