/** A text of the cluster, which is English in every language. */
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly children: ReactNode;
  /** A word for machines, below the sentence for people. */
  readonly isReason?: boolean;
}

export function OperatorText({ children, isReason = false }: Props) {
  return (
    <Text
      size={isReason ? 'xs' : 'sm'}
      {...(isReason && { c: 'dimmed' })}
      dir="ltr"
      ta="start"
      style={{ overflowWrap: 'anywhere' }}
    >
      {children}
    </Text>
  );
}
