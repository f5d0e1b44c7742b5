/** What a VIP membership gives, by its name. */
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Amount } from '../../../kit/money/money.tsx';
import { type Line, percentText } from './draft.ts';
import type { Invoice } from './invoices.queries.ts';

interface Given extends Pick<Line, 'benefitBps' | 'membershipNo' | 'tierName'> {
  readonly amount: number;
}

/** What each membership gives on an invoice, by its rate. */
export function benefitsOf({ lines }: Invoice): readonly Given[] {
  const reduced = lines.filter(({ benefit }) => benefit > 0);
  const groups = Map.groupBy(reduced, ({ membershipNo, benefitBps }) => `${membershipNo} ${benefitBps}`);
  return [...groups.values()].flatMap((own) => {
    const amount = own.reduce((sum, { benefit }) => sum + benefit, 0);
    return own.slice(0, 1).map(({ benefitBps, membershipNo, tierName }) => ({
      ...{ benefitBps, membershipNo, tierName, amount },
    }));
  });
}

/** Such as “Gold membership VIP-000012, 10 %”. */
export function BenefitName({ of: { benefitBps, membershipNo, tierName } }: { readonly of: Omit<Given, 'amount'> }) {
  const { t } = useTranslation();
  const percent = percentText(benefitBps);
  return t('invoices.benefit', { tier: tierName, number: membershipNo, percent });
}

/** What a line is for, and below it what a membership gives on it. */
export function LineName({ line }: { readonly line: Line }) {
  return (
    <>
      <bdi>{line.description}</bdi>
      {line.benefit > 0 && (
        <Text size="xs" c="dimmed">
          <BenefitName of={line} />: <Amount of={-line.benefit} />
        </Text>
      )}
    </>
  );
}
