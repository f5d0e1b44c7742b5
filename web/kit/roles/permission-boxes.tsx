/** A box for each permission, below what it is about: `patients.read` and `patients.write` are about patients. */
import { Checkbox, SimpleGrid, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { wordOf } from '../i18n/i18n.ts';
import { permissionText } from './role-name.ts';

interface Props {
  readonly label: string;
  readonly description?: string;
  /** Names of the permissions that there is a box for. */
  readonly permissions: readonly string[];
  /** Those that are ticked. */
  readonly value: readonly string[];
  readonly isReadOnly?: boolean;
  onChange(value: string[]): void;
}

export function PermissionBoxes({ label, description, permissions, value, isReadOnly = false, onChange }: Props) {
  const { t } = useTranslation();
  const subjects = Map.groupBy(permissions, (permission) => permission.split('.')[0] ?? '');
  return (
    <Checkbox.Group label={label} description={description} value={[...value]} onChange={onChange}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" verticalSpacing="lg" mt="md">
        {[...subjects].map(([subject, own]) => (
          <Stack key={subject} gap="xs" role="group" aria-label={wordOf(`subject.${subject}`) ?? subject}>
            <Text size="sm" fw={600} aria-hidden>
              {wordOf(`subject.${subject}`) ?? subject}
            </Text>
            {own.map((permission) => (
              <Checkbox
                key={permission}
                value={permission}
                label={permissionText(permission)}
                disabled={isReadOnly}
                aria-description={value.includes(permission) ? undefined : t('permissions.without')}
              />
            ))}
          </Stack>
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}
