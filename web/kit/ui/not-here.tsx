/** Pages for addresses that lead to nothing, or to what one may not see. */
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../lists/list-page.tsx';
import { type Operation, useMay } from '../roles/can.tsx';

export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <Stack>
      <PageHead title={t('notFound.title')} />
      <Text>{t('notFound.text')}</Text>
    </Stack>
  );
}

/** Shows a page to those who may use its operation. */
export function Guard({ operation, children }: { readonly operation: Operation; readonly children: ReactNode }) {
  const { t } = useTranslation();
  if (useMay()(operation)) return children;
  return (
    <Stack>
      <PageHead title={t('forbidden.title')} />
      <Text>{t('forbidden.text')}</Text>
    </Stack>
  );
}
