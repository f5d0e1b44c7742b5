/** A button of a page that does one thing at a time. */
import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithoutRef } from 'react';

interface Props extends ButtonProps, Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps> {
  readonly isBusy: boolean;
  /** What it does. {@link useKeptFocus} finds the same action of another row by it. */
  readonly 'data-action'?: string;
}

/** Keeps the focus while the page is busy, and ignores clicks meanwhile. A key that is held counts once. */
export function BusyButton({ isBusy, onClick, ...props }: Props) {
  return (
    <Button
      {...props}
      {...(isBusy ? { 'aria-disabled': true, 'data-disabled': true } : { onClick })}
      onKeyDown={(event) => {
        if (event.repeat && event.key === 'Enter') event.preventDefault();
      }}
    />
  );
}
