/** A field that is saved when it is left, and at Enter. What can't be read stays, with what is wrong. */
import { TextInput } from '@mantine/core';
import { useRef, useState } from 'react';

interface Props<Value> {
  readonly label: string;
  /** Whether the label is seen. In a table, the column has it. */
  readonly hasLabel?: boolean;
  /** What is saved, as text. */
  readonly shown: string;
  readonly placeholder?: string;
  readonly width?: string;
  /** @returns undefined if the text means nothing. */
  read(text: string): Value | undefined;
  /** Says what to write instead. */
  readonly problem: string;
  onChange(value: Value): void;
}

export function Cell<Value>(props: Props<Value>) {
  const { label, hasLabel = false, shown, placeholder, width, read, problem, onChange } = props;
  const [typed, setTyped] = useState<string>();
  const [isWrong, setWrong] = useState(false);
  // What was typed stays until it is saved, also when that takes a while.
  const [saved, setSaved] = useState(shown);
  if (saved !== shown) {
    setSaved(shown);
    setTyped(undefined);
  }
  const entered = useRef<string>(undefined);
  const save = (isEntered: boolean) => {
    const text = typed?.trim();
    if (text === undefined || text === shown) {
      setTyped(undefined);
      setWrong(false);
      return;
    }
    if (!isEntered && text === entered.current) return;
    entered.current = text;
    const value = read(text);
    setWrong(value === undefined);
    if (value !== undefined) onChange(value);
  };
  return (
    <TextInput
      {...(hasLabel ? { label } : { 'aria-label': label, size: 'sm', w: width })}
      placeholder={placeholder}
      autoComplete="off"
      value={typed ?? shown}
      error={isWrong ? problem : undefined}
      onFocus={(event) => event.currentTarget.select()}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={() => save(false)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save(true);
        if (event.key !== 'Escape') return;
        setTyped(undefined);
        setWrong(false);
      }}
    />
  );
}
