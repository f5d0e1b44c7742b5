/** What was counted at the end of a shift, beside what the ledger says. */
import { Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Amount } from '../../../kit/money/money.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { Difference } from './shift-badge.tsx';
import type { Count } from './shifts.queries.ts';

const METHODS = ['CASH', 'CARD', 'MOBILE', 'TRANSFER', 'INSURANCE'] as const;

export function Counts({ counts }: { readonly counts: readonly Count[] }) {
  return counts.toReversed().map((count) => <Counted key={count.number} count={count} />);
}

function Counted({ count }: { readonly count: Count }) {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  const { number, expected, declared, difference, denominations, note, countedAt, countedByName } = count;
  const methods = METHODS.filter((method) => expected[method] !== undefined || declared[method] !== undefined);
  const title = t('shifts.countNo', { number });
  return (
    <section className="hms-panel" aria-label={title}>
      <Text fw={600} p="md" pb={0}>
        {title}
      </Text>
      <Text size="sm" px="md">
        {t('shifts.countedAt', { when: showMoment(countedAt, zone), name: countedByName ?? '–' })}
        {note && (
          <>
            {' · '}
            <bdi>{note}</bdi>
          </>
        )}
      </Text>
      <div style={{ overflowX: 'auto' }}>
        <Table maw="36rem" my="sm" aria-label={title}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('shifts.method')}</Table.Th>
              <Table.Th ta="end">{t('shifts.expected')}</Table.Th>
              <Table.Th ta="end">{t('shifts.counted')}</Table.Th>
              <Table.Th ta="end">{t('shifts.difference')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {methods.map((method) => {
              const [should, is] = [expected[method] ?? 0, declared[method]];
              return (
                <Table.Tr key={method}>
                  <Table.Th scope="row" fw={500}>
                    {t(`invoices.methods.${method}`)}
                  </Table.Th>
                  <Table.Td ta="end">
                    <Amount of={should} />
                  </Table.Td>
                  <Table.Td ta="end">{is === undefined ? t('shifts.notCounted') : <Amount of={is} />}</Table.Td>
                  <Table.Td ta="end">{is === undefined ? '–' : <Difference of={is - should} />}</Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
          <Table.Tfoot>
            <Table.Tr>
              <Table.Th scope="row" colSpan={3}>
                {t('shifts.difference')}
              </Table.Th>
              <Table.Td ta="end">
                <Difference of={difference} />
              </Table.Td>
            </Table.Tr>
          </Table.Tfoot>
        </Table>
      </div>
      {denominations.length > 0 && (
        <Text size="sm" px="md" pb="md" component="ul" style={{ columns: '9rem', listStyle: 'none', margin: 0 }}>
          {denominations.map(({ face, pieces }) => (
            <li key={face}>
              <span className="hms-number">{pieces}</span> × <Amount of={face} />
            </li>
          ))}
        </Text>
      )}
    </section>
  );
}
