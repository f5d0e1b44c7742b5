/** A field for a scanner, which types a number and presses Enter. What is typed by hand works as well. */
import { Loader, TextInput } from '@mantine/core';
import { IconBarcode } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useRun } from '../session/login.tsx';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { useScanner } from './use-scanner.ts';

interface Props {
  readonly label: string;
  readonly placeholder?: string;
  /** @returns what is wrong with the number, or undefined if it was taken. */
  onScan(text: string): Promise<string | undefined>;
  /** Enter without a number. */
  onEmpty?(): void;
  /** The number in a text. With it, a number that is scanned while the cursor is in another field is taken as well. */
  numberIn?(text: string): string | undefined;
  readonly isFirst?: boolean;
  readonly id?: string;
}

export function ScanField({ label, placeholder, onScan, onEmpty, numberIn, isFirst = false, id }: Props) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const { isBusy, error, run } = useRun();
  const scan = (number: string) =>
    run(async () => {
      if (number === '') return onEmpty?.();
      setProblem(undefined);
      const wrong = await onScan(number);
      setProblem(wrong);
      // The next scan replaces what was wrong. Otherwise the cursor stays where the page has put it.
      if (wrong === undefined) return setText('');
      field.current?.focus();
      field.current?.select();
    })();
  useScanner(field, numberIn, (number) => {
    setText(number);
    void scan(number);
  });
  return (
    <div style={{ flexGrow: 1, width: '16rem', maxWidth: '28rem' }}>
      <TextInput
        ref={field}
        {...(id === undefined ? {} : { id })}
        label={label}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        autoFocus={isFirst}
        leftSection={isBusy ? <Loader size="xs" aria-hidden /> : <IconBarcode size={18} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          event.stopPropagation();
          void scan(text.trim());
        }}
        error={problem}
      />
      <ErrorPanel error={error} />
    </div>
  );
}
