/** The form of an existing record. Only what differs is sent, so that what somebody else changed is not put back. */
import { Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { FieldValues, Path } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod/mini';
import { ask } from '../ui/ask.tsx';
import { ErrorPanel } from '../ui/error-panel.tsx';
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
  const [theirs, setTheirs] = useState<Item>();
  const [unread, setUnread] = useState<unknown>();
  // What the form was filled with. It stays, whatever is read meanwhile.
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
      void read().then(setTheirs, setUnread);
      return true;
    },
  });
  const { isDirty } = form.form.formState;
  const cancel = async () => {
    if (!isDirty || (await ask(t('form.unsaved'), t('form.leave')))) onCancel();
  };
  return (
    <Stack gap="md">
      <ErrorPanel error={unread} />
      {theirs && (
        <Conflict
          mine={form.form.getValues()}
          base={valuesOf(base)}
          theirs={valuesOf(theirs)}
          labelOf={labelOf}
          wordOf={wordOf}
          onTheirs={() => {
            setBase(theirs);
            form.form.reset(valuesOf(theirs));
            setTheirs(undefined);
          }}
          onMine={() => {
            const mine = difference(form.form.getValues(), valuesOf(base));
            setBase(theirs);
            form.form.reset(valuesOf(theirs));
            // Only what was changed here: the rest is as it was saved.
            for (const [name, value] of Object.entries(mine))
              form.form.setValue(name as Path<Values>, value, { shouldDirty: true });
            setTheirs(undefined);
          }}
        />
      )}
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
