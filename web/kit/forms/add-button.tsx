import { Button, Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';

/** Adds a row to a form. The cursor moves to it. */
export function AddButton({ label, onClick }: { readonly label: string; onClick(): void }) {
  return (
    <Group>
      <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={onClick}>
        {label}
      </Button>
    </Group>
  );
}
