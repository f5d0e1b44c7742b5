/** What went wrong, what to do, and the id that support needs. */
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/api.ts';
import { sentenceFor } from '../forms/sentence.ts';
import { locale, needWords, wordOf } from '../i18n/i18n.ts';
import { kitPages } from '../words/pages.ts';
import { useTitleOfError } from './title.ts';

export function ErrorPanel({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { t } = useTranslation();
  const sentence = useSentence(error);
  useTitleOfError(t('error.title'), Boolean(error));
  if (!error) return null;
  const id = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Alert role="alert" color="bad" variant="outline" icon={<IconAlertTriangle aria-hidden />} title={t('error.title')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{sentence}</Text>
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

/**
 * A sentence about an error: in words of this page if its code is known, otherwise in the words of all codes, which load
 * with the first such error, otherwise as the module says it.
 */
function useSentence(error: unknown): string {
  const { t } = useTranslation();
  const [areHere, setHere] = useState(false);
  const isApi = error instanceof ApiError;
  const seconds = isApi ? (error.retryAfter ?? 60) : 60;
  const known = isApi ? inWords(error, seconds) : t('error.network');
  const isMissing = known === undefined && !areHere;
  useEffect(() => {
    const done = () => setHere(true);
    if (isMissing) needWords(kitPages.errors).then(done, done);
  }, [isMissing]);
  if (known !== undefined || !isApi) return known ?? '';
  if (isMissing) return '';
  const { code, status, details, reason } = error;
  if (code?.endsWith('_IN_USE') && Array.isArray(details.usedBy))
    return t('error.inUse', { names: listed(details.usedBy.map(titleOf)) });
  if (status === 429) return t('error.tooMany', { seconds });
  if (status >= 500) return t('error.server');
  return (status === 404 && wordOf(`error.other.${GONE}`)) || sentenceFor(reason);
}

/** In the words of the page, or in those of all codes. */
function inWords(error: ApiError, seconds: number): string | undefined {
  const values = { seconds, names: namesIn(error) };
  return wordOf(`error.code.${error.code}`, values) ?? wordOf(`error.other.${error.code}`, values);
}

/** Stands for the codes of all kinds of records that are not there. */
const GONE = 'RESOURCE_NOT_FOUND';
