/** What a document could not print, because no font has it. The document shows codes instead. */
import { Alert, Text } from '@mantine/core';
import { useEffect, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  /** Such as `U+1F600`. */
  readonly codes: readonly string[];
}

/** A note beside a stored document. Nothing if it lacks nothing. */
export function MissingCharacters({ codes }: Props) {
  const { t } = useTranslation();
  if (codes.length === 0) return null;
  return (
    <Text size="xs" c="warning">
      {t('missing.stored', { codes: listOf(codes) })}
    </Text>
  );
}

let told: readonly string[] = [];
const listeners = new Set<() => void>();

/** Says on the page what the document lacks that was just opened in another tab, and takes back what was said before. */
export function tellMissing(codes: readonly string[]): void {
  told = codes;
  for (const listener of listeners) listener();
}

/** Shows what `tellMissing` says, until the person leaves the page at this path. The frame of the pages has one. */
export function MissingNote({ path }: { readonly path: string }) {
  const { t } = useTranslation();
  const codes = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => told,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said there says nothing here
  useEffect(() => () => tellMissing([]), [path]);
  return (
    <div aria-live="polite">
      {codes.length > 0 && (
        <Alert
          mb="sm"
          color="warning"
          variant="outline"
          withCloseButton
          closeButtonLabel={t('form.close')}
          onClose={() => tellMissing([])}
        >
          {t('missing.printed', { codes: listOf(codes) })}
        </Alert>
      )}
    </div>
  );
}

/** Codes are written from left to right in every language. */
function listOf(codes: readonly string[]): string {
  return `\u2066${codes.join(' ')}\u2069`;
}
