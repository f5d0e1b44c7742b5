/** Something small over the page. Escape closes it, and the focus returns to where it was. */
import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  readonly title: ReactNode;
  readonly size?: 'md' | 'xl';
  onClose(): void;
  readonly children: ReactNode;
}

export function Dialog({ title, size = 'md', onClose, children }: Props) {
  const { t } = useTranslation();
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
