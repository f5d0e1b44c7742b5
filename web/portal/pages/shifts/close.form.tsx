/**
 * Closes a shift with what is in the drawer: pieces of each note and coin, or the sum. What should be there is not shown
 * before, so that people count what there is.
 */
import { Button, Group, SimpleGrid, Stack, Table, Text, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { Amount, useMoney } from '../../../kit/money/money.tsx';
import { MoneyInput } from '../../../kit/money/money-field.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { facesOf } from './faces.ts';
import type { Shift } from './shifts.queries.ts';

interface Props {
  readonly shift: Shift;
  onClosed(shift: Shift): void;
  onCancel?(): void;
}

const AMOUNT = /^\d{1,15}$/;
const PIECES = /^\d{1,6}$/;

export function CloseForm({ shift: { id, version, status, currency }, onClosed, onCancel }: Props) {
  const { t } = useTranslation();
  const money = useMoney();
  const { cashRounding = 1 } = usePerson().hospital ?? {};
  const { isBusy, error, run } = useRun();
  const key = useRef(crypto.randomUUID());
  const faces = facesOf(currency, cashRounding);
  const [isSum, setSum] = useState(false);
  const [pieces, setPieces] = useState<Readonly<Record<number, string>>>({});
  const [sum, setSumText] = useState('');
  const [card, setCard] = useState('');
  const [mobile, setMobile] = useState('');
  const [note, setNote] = useState('');
  const wrongFaces = faces.filter((face) => pieces[face] && !PIECES.test(pieces[face]));
  const counted = faces.reduce((total, face) => total + face * (Number(pieces[face]) || 0), 0);
  const isCounted = isSum ? AMOUNT.test(sum) : wrongFaces.length === 0;
  const isRight = isCounted && [card, mobile].every((text) => text === '' || AMOUNT.test(text));
  const submit = (event: FormEvent) => {
    if (!isRight) return event.preventDefault();
    return run(async () => {
      const declared = {
        ...(isSum ? { CASH: Number(sum) } : {}),
        ...(card === '' ? {} : { CARD: Number(card) }),
        ...(mobile === '' ? {} : { MOBILE: Number(mobile) }),
      };
      const denominations = faces.flatMap((face) => {
        const many = Number(pieces[face]) || 0;
        return many > 0 ? [{ face, pieces: many }] : [];
      });
      const body = {
        declared,
        version,
        ...(isSum ? {} : { denominations }),
        ...(note.trim() ? { note: note.trim() } : {}),
      };
      const params = { path: { id }, header: { 'Idempotency-Key': key.current } };
      try {
        onClosed(await dataOf(api.POST('/api/payment/reconciliation/{id}/close', { params, body })));
      } catch (problem) {
        key.current = crypto.randomUUID();
        throw problem;
      }
    })(event);
  };
  const title = t(status === 'disputed' ? 'shifts.recount' : 'shifts.close');
  return (
    <form className="hms-panel" onSubmit={submit} aria-label={title} noValidate style={{ padding: '1.25rem' }}>
      <Stack gap="md">
        <Text size="sm">{t('shifts.closeHow')}</Text>
        {isSum ? (
          <MoneyInput
            label={t('shifts.cash')}
            value={sum}
            autoFocus
            maw="14rem"
            onChange={setSumText}
            error={sum === '' || AMOUNT.test(sum) ? undefined : t('form.problem.money')}
          />
        ) : (
          <Table maw="24rem" aria-label={t('shifts.face')}>
            <Table.Tbody>
              {faces.map((face, index) => (
                <Table.Tr key={face}>
                  <Table.Th scope="row" fw={500} ta="end">
                    <Amount of={face} />
                  </Table.Th>
                  <Table.Td>
                    <TextInput
                      aria-label={t('shifts.pieces', { face: money.show(face) })}
                      inputMode="numeric"
                      dir="ltr"
                      w="6rem"
                      autoComplete="off"
                      placeholder="0"
                      autoFocus={index === 0}
                      value={pieces[face] ?? ''}
                      error={wrongFaces.includes(face) ? t('form.problem.number') : undefined}
                      onFocus={(event) => event.currentTarget.select()}
                      // Enter goes on to the next one, as on a till. The last one does not close the shift by accident.
                      onKeyDown={(event) => {
                        if (event.key !== 'Enter') return;
                        event.preventDefault();
                        const inputs = [...(event.currentTarget.form?.querySelectorAll('input') ?? [])];
                        inputs[inputs.indexOf(event.currentTarget) + 1]?.focus();
                      }}
                      onChange={({ currentTarget }) => setPieces({ ...pieces, [face]: currentTarget.value.trim() })}
                    />
                  </Table.Td>
                  <Table.Td ta="end">
                    <Amount of={face * (Number(pieces[face]) || 0)} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
            <Table.Tfoot>
              <Table.Tr>
                <Table.Th scope="row" colSpan={2}>
                  {t('shifts.cash')}
                </Table.Th>
                <Table.Td ta="end" fw={700}>
                  <output>
                    <Amount of={counted} />
                  </output>
                </Table.Td>
              </Table.Tr>
            </Table.Tfoot>
          </Table>
        )}
        <Group>
          <Button size="compact-sm" variant="subtle" onClick={() => setSum(!isSum)}>
            {t(isSum ? 'shifts.onlyPieces' : 'shifts.onlySum')}
          </Button>
        </Group>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" maw="36rem">
          <MoneyInput
            label={t('shifts.cardSum')}
            placeholder={t('shifts.optional')}
            value={card}
            onChange={setCard}
            error={card === '' || AMOUNT.test(card) ? undefined : t('form.problem.money')}
          />
          <MoneyInput
            label={t('shifts.mobileSum')}
            placeholder={t('shifts.optional')}
            value={mobile}
            onChange={setMobile}
            error={mobile === '' || AMOUNT.test(mobile) ? undefined : t('form.problem.money')}
          />
        </SimpleGrid>
        <TextInput
          label={t('shifts.note')}
          placeholder={t('shifts.noteHow')}
          value={note}
          maxLength={300}
          maw="36rem"
          autoComplete="off"
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <ErrorPanel error={error} />
        <Group gap="sm">
          <Button type="submit" loading={isBusy} disabled={!isRight}>
            {title}
          </Button>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {t('form.cancel')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
