/**
 * A form of one record. It keeps one idempotency key for as long as it is open, so that a double click or a repeated
 * request makes one record. It is busy until the end, and warns before its input is lost.
 */

import { zodResolver } from '@hookform/resolvers/zod';
import { Alert, Button, Group, Stack, Text, TextInput, type TextInputProps } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { type DefaultValues, type FieldValues, get, type Path, type UseFormReturn, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod/mini';
import { ApiError } from '../api/api.ts';
import { needWords, wordOf } from '../i18n/i18n.ts';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { kitPages } from '../words/pages.ts';
import { sentenceFor } from './sentence.ts';
import { isUnsavedDropped, setUnsaved } from './unsaved.ts';

interface Options<Values extends FieldValues, Saved> {
  /** Messages are keys of `form.problem`. */
  readonly schema: z.ZodMiniType<Values, Values>;
  readonly values: DefaultValues<Values>;
  /** @param key makes the request safe to repeat. */
  save(values: Values, key: string): Promise<Saved>;
  onSaved(saved: Saved): void;
  /** The form is a step before the end: its input is unsaved until `finish`. */
  readonly isStep?: boolean;
  /** The form's name of a field of the module, if it is another one. */
  fieldOf?(name: string): string | undefined;
  /** The page's words for what the module says about a field, if it has some. */
  wordsFor?(message: string): string | undefined;
  /** Handles an error that this form has an answer for. @returns whether it did. */
  onError?(error: ApiError): boolean;
}

export interface RecordForm<Values extends FieldValues> {
  readonly form: UseFormReturn<Values>;
  readonly error: unknown;
  readonly isBusy: boolean;
  submit(): Promise<void>;
  /** Nothing asks any more whether the input may be lost. */
  finish(): void;
  readonly blocker: ReturnType<typeof useUnsavedBlocker>;
}

export function useRecordForm<Values extends FieldValues, Saved>(options: Options<Values, Saved>): RecordForm<Values> {
  const { schema, values, save, onSaved, isStep = false, onError } = options;
  const form = useForm<Values>({ resolver: zodResolver(schema), defaultValues: values, shouldFocusError: true });
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const busy = useRef(false);
  const key = useRef(crypto.randomUUID());
  const isSaved = useRef(false);
  const blocker = useUnsavedBlocker(() => form.formState.isDirty && !isSaved.current && !isUnsavedDropped());
  // Read here, so that the form reports changes of it.
  const { isDirty } = form.formState;
  // Whoever is asked may save instead of answering, and stays.
  const unanswered = blocker.status === 'blocked' && !isDirty ? blocker.reset : undefined;
  useEffect(() => unanswered?.(), [unanswered]);
  useEffect(() => {
    setUnsaved(key, isDirty);
    return () => setUnsaved(key, false);
  }, [isDirty]);

  const finish = () => {
    isSaved.current = true;
    setUnsaved(key, false);
  };
  const send = form.handleSubmit(async (sent) => {
    setError(undefined);
    try {
      const saved = await save(sent as Values, key.current);
      if (isStep) return onSaved(saved);
      finish();
      // Another use of the same form is another record.
      key.current = crypto.randomUUID();
      form.reset(sent as Values);
      onSaved(saved);
      isSaved.current = false;
    } catch (problem) {
      // The refusal is kept under the key. A corrected form is another request.
      if (problem instanceof ApiError && problem.status < 500 && problem.code !== 'IDEMPOTENCY_IN_PROGRESS')
        key.current = crypto.randomUUID();
      // In the language of the page, if its words are there.
      if (problem instanceof ApiError && problem.details.fields)
        await needWords(kitPages.errors).catch(() => undefined);
      if (problem instanceof ApiError && showFields(form, problem, options)) return;
      if (problem instanceof ApiError && onError?.(problem)) return;
      setError(problem);
    }
  });
  const submit = async () => {
    if (busy.current) return;
    busy.current = true;
    setBusy(true);
    try {
      await send();
    } finally {
      busy.current = false;
      setBusy(false);
    }
  };
  return { form, error, isBusy, submit, finish, blocker };
}

interface FieldProblem {
  readonly field: string;
  readonly in: string;
  readonly message: string;
  readonly code?: string;
  readonly limit?: number;
}

/** Puts the module's problems to their fields. @returns whether all have one. */
function showFields<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  { code, details }: ApiError,
  { fieldOf, wordsFor }: Pick<Options<Values, unknown>, 'fieldOf' | 'wordsFor'>,
): boolean {
  const fields = (details.fields ?? []) as readonly FieldProblem[];
  const sentence = fields.length === 1 ? wordOf(`error.code.${code}`) : undefined;
  const values = form.getValues();
  // A form may show the parts of an object as fields of its own.
  const nameOf = (field: string) =>
    [fieldOf?.(field) ?? field, field.split('.').at(-1) ?? ''].find((name) => get(values, name) !== undefined);
  const known = fields.flatMap(({ field, message, code: rule, limit }) => {
    const name = nameOf(field);
    const said = sentence ?? wordsFor?.(message) ?? wordOf(`error.field.${rule}`, { limit }) ?? sentenceFor(message);
    return name === undefined ? [] : [{ name, message: said }];
  });
  known.forEach(({ name, message }, index) => {
    form.setError(name as Path<Values>, { message }, { shouldFocus: index === 0 });
  });
  return known.length > 0 && known.length === fields.length;
}

function useUnsavedBlocker(isUnsaved: () => boolean) {
  return useBlocker({ shouldBlockFn: isUnsaved, enableBeforeUnload: isUnsaved, withResolver: true });
}

interface FormProps<Values extends FieldValues> {
  readonly of: RecordForm<Values>;
  readonly label: string;
  readonly submitLabel: string;
  onCancel?(): void;
  readonly children: ReactNode;
}

/** Enter moves on, so that nothing is sent by accident. Ctrl+Enter saves. */
export function FormBody<Values extends FieldValues>({
  of,
  label,
  submitLabel,
  onCancel,
  children,
}: FormProps<Values>) {
  const { t } = useTranslation();
  const hint = useId();
  // Whoever stays goes on where they were.
  const holder = useRef<HTMLElement>(null);
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter') return;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      void of.submit();
    } else if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) {
      event.preventDefault();
      focusAfter(event.currentTarget, event.target);
    }
  };
  return (
    <form
      aria-label={label}
      noValidate
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        if (!target.closest('[role=alertdialog]')) holder.current = target;
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void of.submit();
      }}
    >
      <Stack gap="md">
        <ErrorPanel error={of.error} />
        {children}
        <Group gap="sm">
          <Button type="submit" loading={of.isBusy} aria-describedby={hint}>
            {submitLabel}
          </Button>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {t('form.cancel')}
            </Button>
          )}
          <Text id={hint} size="xs" c="dimmed">
            {t('form.hint')}
          </Text>
        </Group>
        <LeaveQuestion of={of} onStay={() => holder.current?.focus()} />
      </Stack>
    </form>
  );
}

interface QuestionProps {
  readonly of: Pick<RecordForm<FieldValues>, 'blocker'>;
  onStay?(): void;
}

/** Asks whoever is about to leave whether the input may be lost. */
export function LeaveQuestion({ of: { blocker }, onStay }: QuestionProps) {
  const { t } = useTranslation();
  if (blocker.status !== 'blocked') return null;
  return (
    <Alert role="alertdialog" color="warning" variant="outline" title={t('form.unsaved')}>
      <Group gap="sm">
        <Button
          size="compact-sm"
          autoFocus
          onClick={() => {
            blocker.reset?.();
            onStay?.();
          }}
        >
          {t('form.stay')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => blocker.proceed?.()}>
          {t('form.leave')}
        </Button>
      </Group>
    </Alert>
  );
}

function focusAfter(form: HTMLFormElement, input: HTMLElement): void {
  const all = [...form.querySelectorAll<HTMLElement>('input, select, textarea, button[type=submit]')].filter(
    (element) => element.tabIndex >= 0 && !element.hasAttribute('disabled'),
  );
  const next = all[all.indexOf(input) + 1];
  next?.focus();
  // As with Tab: what is typed replaces what is there.
  if (next instanceof HTMLInputElement) next.select();
}

interface FieldProps<Values extends FieldValues> extends Omit<TextInputProps, 'form' | 'name'> {
  readonly of: RecordForm<Values>;
  readonly name: Path<Values>;
}

/** A field with its label and its problem. */
export function Field<Values extends FieldValues>({ of, name, ...input }: FieldProps<Values>) {
  const { error } = of.form.getFieldState(name, of.form.formState);
  return <TextInput {...input} {...of.form.register(name)} error={problemOf(error?.message)} />;
}

/** The sentence for a problem: of this page, or as the module says it. */
export function problemOf(message: string | undefined): string | undefined {
  return message === undefined ? undefined : (wordOf(`form.problem.${message}`) ?? message);
}
