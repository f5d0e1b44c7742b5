/** The form of a step that needs a reason, such as a cancellation. */
import { useId } from 'react';
import * as z from 'zod/mini';
import { Field, FormBody, useRecordForm } from './record-form.tsx';

const fieldsWith = (least: number) =>
  z.object({
    reason: z
      .string()
      .check(z.trim(), z.minLength(1, 'required'), z.minLength(least, 'reasonTooShort'), z.maxLength(200, 'tooLong')),
  });

interface Props<Saved> {
  readonly label: string;
  readonly submitLabel: string;
  /** In characters. Default: one. */
  readonly least?: number;
  /** What is most often written. */
  readonly suggestions?: readonly string[];
  /** @param key makes the request safe to repeat. */
  save(reason: string, key: string): Promise<Saved>;
  onSaved(saved: Saved): void;
  onCancel(): void;
}

export function ReasonForm<Saved>(props: Props<Saved>) {
  const { label, submitLabel, suggestions = [], least = 1, save, onSaved, onCancel } = props;
  const list = useId();
  const form = useRecordForm({
    schema: fieldsWith(least),
    values: { reason: '' },
    save: ({ reason }, key) => save(reason, key),
    onSaved,
  });
  return (
    <FormBody of={form} label={label} submitLabel={submitLabel} onCancel={onCancel}>
      <Field
        of={form}
        name="reason"
        label={label}
        placeholder={suggestions[0]}
        required
        autoFocus
        maw="28rem"
        autoComplete="off"
        // A list makes a combobox of the field.
        {...(suggestions.length > 0 ? { list } : {})}
      />
      {suggestions.length > 0 && (
        <datalist id={list}>
          {suggestions.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
    </FormBody>
  );
}
