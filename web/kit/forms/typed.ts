/** What is typed in a field whose value is kept in another form than people write it. */
import { type ChangeEvent, useEffect, useRef, useState } from 'react';

interface Options {
  readonly value: string;
  /** The value as people write it. */
  show(value: string): string;
  /** What was typed as the value. Undefined: it is none, and is kept as it was typed. */
  read(text: string): string | undefined;
  onChange(value: string): void;
}

/** The text of the field, which stays as it is typed until the field is left. */
export function useTyped({ value, show, read, onChange }: Options) {
  const [text, setText] = useState<string>();
  const typed = useRef(value);
  // Somebody else's change, or a form that begins anew.
  useEffect(() => {
    if (typed.current !== value) setText(undefined);
    typed.current = value;
  }, [value]);
  return {
    text: text ?? show(value),
    onText: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
      setText(currentTarget.value);
      typed.current = read(currentTarget.value) ?? currentTarget.value.trim();
      onChange(typed.current);
    },
    leave: () => setText(undefined),
  };
}
