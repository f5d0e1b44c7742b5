/** Somebody else has changed the same fields meanwhile. Nothing is overwritten unseen: one of the two has to be chosen. */
import { Alert, Button, Group, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isPhone, usePhones } from '../phones/phones.ts';

interface Props<Values> {
  /** The fields that both have changed. */
  readonly names: readonly (keyof Values & string)[];
  /** What is typed here, and what is saved now. */
  readonly mine: Values;
  readonly theirs: Values;
  labelOf(name: keyof Values & string): string;
  /** An entry as the form shows it. Default: as it is sent. */
  wordOf?(name: keyof Values & string, value: string): string;
  onMine(): void;
  onTheirs(): void;
}

/** Field by field: what is typed here, and what somebody else has saved. */
export function Conflict<Values extends object>({
  names,
  mine,
  theirs,
  labelOf,
  wordOf,
  onMine,
  onTheirs,
}: Props<Values>) {
  const { t } = useTranslation();
  const phones = usePhones();
  const shown = (values: Values, name: keyof Values & string) =>
    [values[name]]
      .flat()
      .map(textOf)
      .map((text) => (text && wordOf?.(name, text)) ?? text)
      .map((text) => (isPhone(text) ? phones.show(text) : text))
      .join(', ');
  return (
    <Alert role="alert" color="warning" variant="outline" title={t('conflict.title')}>
      <Stack gap="sm">
        <dl className="hms-facts">
          {names.map((name) => (
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
