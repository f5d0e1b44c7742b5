/** What each role may do in this hospital. */
import { Anchor, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { roleName } from '../../../kit/roles/role-name.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { rolesQuery } from './roles.queries.ts';

export function RolesPage() {
  const { t } = useTranslation();
  const roles = useQuery(rolesQuery);
  return (
    <Stack gap="md">
      <PageHead title={t('menu.roles')} />
      <Text size="sm">{t('roles.how')}</Text>
      <ErrorPanel error={roles.error} onRetry={() => void roles.refetch()} />
      {roles.isPending && <Skeleton height={320} animate={false} aria-busy />}
      {roles.data && (
        <Table.ScrollContainer minWidth={0} className="hms-panel">
          <Table verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('roles.role')}</Table.Th>
                <Table.Th>{t('roles.permissions')}</Table.Th>
                <Table.Th>{t('roles.withheld')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {roles.data.map(({ name, description, isSystem, permissions, withheld }) => (
                <Table.Tr key={name}>
                  <Table.Td>
                    <Anchor
                      renderRoot={(props) => <Link to="/roles/$name" params={{ name }} {...props} />}
                      fw={500}
                      size="sm"
                    >
                      {roleName(name)}
                    </Anchor>
                    {!isSystem && (
                      <Text size="xs" dir="auto">
                        {description}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td className="hms-number">{permissions.length - withheld.length}</Table.Td>
                  <Table.Td className="hms-number">{withheld.length}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Stack>
  );
}
