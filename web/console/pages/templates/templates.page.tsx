/** The roles that every hospital has. */
import { Anchor, Button, Skeleton, Stack, Table, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { Can } from '../../../kit/roles/can.tsx';
import { roleName } from '../../../kit/roles/role-name.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { templatesQuery } from './templates.queries.ts';

export function TemplatesPage() {
  const { t } = useTranslation();
  const found = useQuery(templatesQuery);
  return (
    <Stack gap="md">
      <PageHead title={t('menu.templates')}>
        <Can operation="createRoleTemplate">
          <Button
            leftSection={<IconPlus size={18} aria-hidden />}
            renderRoot={(props) => <Link to={NEW_PATH} {...props} />}
          >
            {t('templates.new')}
          </Button>
        </Can>
      </PageHead>
      <Text size="sm">{t('templates.how')}</Text>
      <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
      {found.isPending && <Skeleton height={320} animate={false} aria-busy />}
      {found.data && (
        <Table.ScrollContainer minWidth={0} className="hms-panel">
          <Table verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('templates.name')}</Table.Th>
                <Table.Th>{t('templates.of')}</Table.Th>
                <Table.Th>{t('templates.kind')}</Table.Th>
                <Table.Th>{t('templates.permissions')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {found.data.map(({ id, name, appliesTo, isSystem, status, permissions }) => (
                <Table.Tr key={id}>
                  <Table.Td>
                    <Anchor renderRoot={(props) => <Link to={templatePath(id)} {...props} />} fw={500} size="sm">
                      {roleName(name)}
                    </Anchor>
                    <Text size="xs" dir="ltr" ta="start">
                      {name}
                    </Text>
                  </Table.Td>
                  <Table.Td>{t(`templates.appliesTo.${appliesTo}`)}</Table.Td>
                  <Table.Td>{isSystem ? t('templates.system') : t(`templates.status.${status}`)}</Table.Td>
                  <Table.Td className="hms-number">{permissions.length}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Stack>
  );
}

const NEW_PATH: string = '/templates/new';

function templatePath(id: string): string {
  return `/templates/${id}`;
}
