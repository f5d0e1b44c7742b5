/** Somebody else has saved the same record meanwhile. Nothing is overwritten unseen: one of the two has to be chosen. */
import { Alert, Button, Group, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface Props<Values> {
  /** What is typed here, what it began with, and what is saved now. */
  readonly mine: Values;
  readonly base: Values;
  readonly theirs: Values;
  labelOf(name: keyof Values & string): string;
  /** An entry as the form shows it. Default: as it is sent. */
  wordOf?(name: keyof Values & string, value: string): string;
  onMine(): void;
  onTheirs(): void;
}

/** Field by field: what is typed here, and what somebody else has saved. */
export function Conflict<Values extends object>({
  mine,
  base,
  theirs,
  labelOf,
  wordOf,
  onMine,
  onTheirs,
}: Props<Values>) {
  const { t } = useTranslation();
  const names = Object.keys(mine) as (keyof Values & string)[];
  const shown = (values: Values, name: keyof Values & string) =>
    [values[name]]
      .flat()
      .map(textOf)
      .map((text) => (text && wordOf?.(name, text)) ?? text)
      .join(', ');
  const differing = names.filter((name) => [mine, theirs].some((values) => shown(values, name) !== shown(base, name)));
  return (
    <Alert role="alert" color="warning" variant="outline" title={t('conflict.title')}>
      <Stack gap="sm">
        <dl className="hms-facts">
          {differing.map((name) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{labelOf(name)}</dt>
              <dd>{t('conflict.yours', { mine: shown(mine, name) || '–', theirs: shown(theirs, name) || '–' })}</dd>
            </div>
          ))}
        </dl>
        <Group gap="sm">
          <Button size="compact-sm" variant="default" onClick={onMine}>
            {t('conflict.keepMine')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={onTheirs}>
            {t('conflict.takeTheirs')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

/** The parts of an entry of a list. */
function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? Object.values(value).filter(Boolean).join(' · ') : String(value);
}
