/** Who has seen or changed the record. */
import { useTranslation } from 'react-i18next';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { useEventColumns } from '../audit/event-columns.tsx';
import { patientKeys, readAccess } from './patients.queries.ts';

interface Props {
  readonly id: string;
  readonly page: number | undefined;
  onPage(page: number | undefined): void;
}

export function PatientHistory({ id, page, onPage }: Props) {
  const { t } = useTranslation();
  const columns = useEventColumns();
  return (
    <ListPage
      isPart
      title={t('patients.tab.history')}
      search={{ page }}
      onSearch={(changes) => onPage(changes.page)}
      queryKey={patientKeys.access(id, page)}
      read={(signal) => readAccess(id, page, signal)}
      rowKey={({ seq }) => String(seq)}
      empty={t('audit.empty')}
      columns={columns}
    />
  );
}
