/** That somebody is a VIP, with the names of the tiers. */
import { Badge } from '@mantine/core';
import { IconCrown } from '@tabler/icons-react';

export function VipMark({ tiers }: { readonly tiers: readonly string[] }) {
  return (
    <Badge color="warning" variant="outline" tt="none" leftSection={<IconCrown size={14} aria-hidden />}>
      <bdi>VIP {tiers.join(', ')}</bdi>
    </Badge>
  );
}
