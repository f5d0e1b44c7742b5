/** What went wrong, what to do, and the id that support needs. */
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/api.ts';
import { locale, wordOf } from '../i18n/i18n.ts';

export function ErrorPanel({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { t } = useTranslation();
  const sentence = useSentence();
  if (!error) return null;
  const id = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Alert role="alert" color="bad" variant="outline" icon={<IconAlertTriangle aria-hidden />} title={t('error.title')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{sentence(error)}</Text>
        <Group gap="md">
          {onRetry && (
            <Button size="compact-sm" variant="default" onClick={onRetry}>
              {t('error.retry')}
            </Button>
          )}
          {id && (
            <Text size="xs" c="dimmed">
              {t('error.id')} <Code>{id}</Code>
            </Text>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

/** The records that an error is about, such as those that are open: what they are, as the page says it, and their names. */
function namesIn({ details: { items } }: ApiError): string {
  const all = Array.isArray(items) ? (items as readonly { readonly record?: string; readonly name?: string }[]) : [];
  return listed(
    all.flatMap(({ record, name }) =>
      // A draft has no number yet.
      name === undefined ? [] : (wordOf(`error.open_${record}`, { name, context: name }) ?? name),
    ),
  );
}

/** A table, as the menu calls it. */
function titleOf(table: string): string {
  return wordOf(`menu.${table.replaceAll('_', '-')}`) ?? table.replaceAll('_', ' ');
}

/** Names with what the language has between them. */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(locale(), { type: 'conjunction' }).format(names);
}

/** A sentence about an error: in words of this page if its code is known, otherwise as the module says it. */
function useSentence(): (error: unknown) => string {
  const { t } = useTranslation();
  return (error) => {
    if (!(error instanceof ApiError)) return t('error.network');
    const seconds = error.retryAfter ?? 60;
    const known = error.code && wordOf(`error.code.${error.code}`, { seconds, names: namesIn(error) });
    if (known) return known;
    if (error.code?.endsWith('_IN_USE') && Array.isArray(error.details.usedBy))
      return t('error.inUse', { names: listed(error.details.usedBy.map(titleOf)) });
    if (error.status === 429) return t('error.tooMany', { seconds });
    if (error.status >= 500) return t('error.server');
    return error.reason;
  };
}
