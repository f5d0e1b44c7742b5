/** A filter of a list that is on or off, and kept in the address. */
import { Checkbox } from '@mantine/core';
import { useEffect, useState } from 'react';

interface Props {
  readonly label: string;
  readonly checked: boolean;
  /** @param checked undefined if it is off, so that the address does not have it. */
  onChange(checked: true | undefined): void;
}

/** The address follows a click a little later. Meanwhile, the box shows what was clicked. */
export function FilterCheckbox({ label, checked, onChange }: Props) {
  const [shown, setShown] = useState(checked);
  useEffect(() => setShown(checked), [checked]);
  return (
    <Checkbox
      mb={8}
      label={label}
      checked={shown}
      onChange={({ currentTarget }) => {
        setShown(currentTarget.checked);
        onChange(currentTarget.checked || undefined);
      }}
    />
  );
}
