/** That a patient is a VIP, beside their name. */
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../../kit/roles/can.tsx';
import { membershipsQuery } from './vip.queries.ts';
import { VipMark } from './vip-mark.tsx';

export function VipBadge({ patientId }: { readonly patientId: string }) {
  const may = useMay()('listVipMemberships');
  const found = useQuery({ ...membershipsQuery(patientId), enabled: may });
  const current = (found.data ?? []).filter(({ phase }) => phase === 'current');
  const tiers = [...new Set(current.map(({ tierName }) => tierName))];
  return tiers.length === 0 ? null : <VipMark tiers={tiers} />;
}
