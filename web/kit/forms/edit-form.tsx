/**
 * The form of an existing record. Only what differs is sent, so that what somebody else changed is not put back. What they
 * save meanwhile appears in the fields that were not touched here.
 */
import { Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import type { FieldValues, Path } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod/mini';
import { ask } from '../ui/ask.tsx';
import { ErrorPanel, listed } from '../ui/error-panel.tsx';
import { Conflict } from './conflict.tsx';
import { FormBody, type RecordForm, useRecordForm } from './record-form.tsx';

export interface EditFormProps<
  Item extends { readonly version: number },
  Values extends FieldValues,
  Body extends object,
> {
  readonly item: Item;
  readonly schema: z.ZodMiniType<Values, Values>;
  readonly label: string;
  valuesOf(item: Item): Values;
  bodyOf(values: Values): Body;
  labelOf(name: string): string;
  /** An entry of a field as the form shows it, for who has to choose between two. Default: as it is sent. */
  wordOf?(name: string, value: string): string;
  save(changes: Partial<Body> & { readonly version: number }): Promise<Item>;
  /** Reads the record again. */
  read(): Promise<Item>;
  onSaved(item: Item): void;
  /** Leaves the form, and what was typed. */
  onCancel(): void;
  fields(form: RecordForm<Values>): ReactNode;
  /** As of `useRecordForm`. */
  fieldOf?(name: string): string | undefined;
}

export function EditForm<Item extends { readonly version: number }, Values extends FieldValues, Body extends object>(
  props: EditFormProps<Item, Values, Body>,
) {
  const { item, schema, label, valuesOf, bodyOf, labelOf, wordOf, save, read, onSaved, onCancel, fields, fieldOf } =
    props;
  const { t } = useTranslation();
  /** What somebody else has saved, while it can't be merged with what is typed here. */
  const [theirs, setTheirs] = useState<Item>();
  /** Fields that have taken what somebody else has saved. */
  const [taken, setTaken] = useState<readonly string[]>([]);
  const [unread, setUnread] = useState<unknown>();
  const [repeated, setRepeated] = useState(0);
  // What the form was filled with.
  const [base, setBase] = useState(item);
  const form = useRecordForm<Values, Item>({
    schema,
    values: valuesOf(base) as never,
    save: (values) => save({ ...difference(bodyOf(values), bodyOf(valuesOf(base))), version: base.version }),
    onSaved,
    fieldOf,
    onError: ({ code }) => {
      if (code !== 'STALE_VERSION') return false;
      setUnread(undefined);
      void read().then((other) => {
        // Whoever wanted to save still does, unless there is something to choose.
        if (merge(other)) setRepeated((count) => count + 1);
      }, setUnread);
      return true;
    },
  });
  const { isDirty } = form.form.formState;
  const changedIn = (values: Values) => Object.keys(difference(values, valuesOf(base)));
  /** Fields that both have changed, and not alike. */
  const disputed = (other: Item) => {
    const [mine, now] = [form.form.getValues(), valuesOf(other)];
    const differing = Object.keys(difference(mine, now));
    const changed = changedIn(mine);
    return changedIn(now).filter((name) => changed.includes(name) && differing.includes(name));
  };
  /** Takes what was saved, but for some fields that were changed here. */
  const settle = (other: Item, kept: readonly string[]) => {
    const [mine, now] = [form.form.getValues(), valuesOf(other)];
    setTaken(Object.keys(difference(now, mine)).filter((name) => !kept.includes(name)));
    setTheirs(undefined);
    setBase(other);
    form.form.reset(now);
    for (const name of kept) form.form.setValue(name as Path<Values>, mine[name], { shouldDirty: true });
  };
  /** @returns whether it could be done without a choice. */
  const merge = (other: Item): boolean => {
    const isPossible = disputed(other).length === 0;
    if (isPossible) settle(other, changedIn(form.form.getValues()));
    else setTheirs(other);
    return isPossible;
  };
  const onItem = useEffectEvent((read: Item) => {
    if (read.version > (theirs ?? base).version && !form.isBusy) merge(read);
  });
  useEffect(() => onItem(item), [item]);
  const repeat = useEffectEvent(() => void form.submit());
  useEffect(() => {
    if (repeated > 0) repeat();
  }, [repeated]);
  const cancel = async () => {
    if (!isDirty || (await ask(t('form.unsaved'), t('form.leave')))) onCancel();
  };
  return (
    <Stack gap="md">
      <ErrorPanel error={unread} />
      {theirs && disputed(theirs).length > 0 && (
        <Conflict
          names={disputed(theirs)}
          mine={form.form.getValues()}
          theirs={valuesOf(theirs)}
          labelOf={labelOf}
          wordOf={wordOf}
          onTheirs={() => {
            const both = disputed(theirs);
            settle(
              theirs,
              changedIn(form.form.getValues()).filter((name) => !both.includes(name)),
            );
          }}
          onMine={() => settle(theirs, changedIn(form.form.getValues()))}
        />
      )}
      <Text role="status" size="sm" fw={500}>
        {taken.length > 0 && t('conflict.taken', { names: listed(taken.map(labelOf)) })}
      </Text>
      <FormBody of={form} label={label} submitLabel={t('form.save')} onCancel={() => void cancel()}>
        {fields(form)}
      </FormBody>
    </Stack>
  );
}

function difference<Body extends object>(now: Body, before: Body): Partial<Body> {
  const changed = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Body]),
  );
  return Object.fromEntries(changed) as Partial<Body>;
}
