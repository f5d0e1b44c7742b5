/** Prints the labels of what was dispensed, one for each package. */
import { IconPrinter } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { openPdf } from '../../../kit/api/pdf.ts';
import { Can } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { BusyButton } from '../../../kit/ui/busy-button.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import type { Dispense } from './prescriptions.queries.ts';

interface Props {
  readonly dispense: Pick<Dispense, 'id' | 'dispenseNo'>;
  /** The cursor is on it, so that Enter prints. */
  readonly isFirst?: boolean;
}

export function PrintLabels({ dispense: { id, dispenseNo }, isFirst = false }: Props) {
  const { t } = useTranslation();
  const { isBusy, error, run } = useRun();
  return (
    <Can operation="readDispenseLabels">
      <BusyButton
        size="compact-sm"
        variant="default"
        leftSection={<IconPrinter size={16} aria-hidden />}
        autoFocus={isFirst}
        isBusy={isBusy}
        aria-label={t('prescriptions.printOf', { dispenseNo })}
        onClick={run(() => openPdf(async () => `/api/hms/dispenses/${id}/labels`))}
      >
        {t('prescriptions.print')}
      </BusyButton>
      <ErrorPanel error={error} />
    </Can>
  );
}
