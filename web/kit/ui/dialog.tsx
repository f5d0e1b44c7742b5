/** Something small over the page. Escape closes it, and the focus returns to where it was. */
import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  readonly title: ReactNode;
  readonly size?: 'md' | 'xl';
  onClose(): void;
  readonly children: ReactNode;
}

export function Dialog({ title, size = 'md', onClose, children }: Props) {
  const { t } = useTranslation();
  // The modal itself gives the focus back only if it stays mounted.
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) setTimeout(() => before.focus());
    },
    [before],
  );
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      // Its style would be refused by the content security policy.
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': t('form.close') }}
    >
      {children}
    </Modal>
  );
}
