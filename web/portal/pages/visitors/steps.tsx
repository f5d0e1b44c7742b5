/** Letting visitors in and out and turning them away: the same at the desk and in the list of all passes. */
import { Alert, Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, api, dataOf } from '../../../kit/api/api.ts';
import { ReasonForm } from '../../../kit/forms/reason-form.tsx';
import { useMay } from '../../../kit/roles/can.tsx';
import { soon } from '../../../kit/ui/soon.tsx';
import { PrintButton } from './print-button.tsx';
import { Refusal } from './refusal.tsx';
import { type Visitor, visitorKeys } from './visitors.queries.ts';

const EndForm = soon(async () => (await import('./end.form.tsx')).EndForm);

type Step = 'check-in' | 'check-out';
/** What happened last, so that the desk sees it from afar. */
interface News {
  readonly step: 'in' | 'out' | 'none' | 'issued' | 'longer';
  readonly visitor: Visitor;
}
/** @param clearedBanIds bans of namesakes, of whom the desk has said that they are others */
type Attempt = (clearedBanIds: readonly string[]) => Promise<News>;
interface Refused {
  readonly error: unknown;
  readonly again?: Attempt | undefined;
  readonly clearedBanIds: readonly string[];
}

/** @param onDone is called after each step by hand. */
export function usePassSteps(onDone: () => void) {
  const queries = useQueryClient();
  const [news, setNews] = useState<News>();
  const [refused, setRefused] = useState<Refused>();
  /** Whose form is open. */
  const [asked, setAsked] = useState<{ readonly about: 'deny' | 'end'; readonly visitor: Visitor }>();
  const tell = (next: News | undefined) => {
    setNews(next);
    setRefused(undefined);
    setAsked(undefined);
    void queries.invalidateQueries({ queryKey: [visitorKeys.all] });
  };
  const refuse = (error: unknown) => setRefused(error === undefined ? undefined : { error, clearedBanIds: [] });
  const attempt = async (again: Attempt, clearedBanIds: readonly string[] = []) => {
    try {
      tell(await again(clearedBanIds));
    } catch (error) {
      setNews(undefined);
      setRefused({ error, again, clearedBanIds });
      // Somebody else was faster.
      if (error instanceof ApiError) void queries.invalidateQueries({ queryKey: [visitorKeys.all] });
    }
  };
  const scan = (code: string) =>
    attempt(async (clearedBanIds) => {
      const visitor = await dataOf(api.POST('/api/crm/visitors/scan', { body: { code, ...known(clearedBanIds) } }));
      return { visitor, step: ({ 'check-in': 'in', 'check-out': 'out', none: 'none' } as const)[visitor.step] };
    });
  const take = (step: Step, { id, version }: Visitor) =>
    void attempt(async (clearedBanIds) => {
      const params = { path: { id } };
      const visitor =
        step === 'check-in'
          ? await dataOf(
              api.POST('/api/crm/visitors/{id}/check-in', { params, body: { version, ...known(clearedBanIds) } }),
            )
          : await dataOf(api.POST('/api/crm/visitors/{id}/check-out', { params, body: { version } }));
      return { visitor, step: step === 'check-in' ? 'in' : 'out' };
    }).then(onDone);
  return { news, refused, asked, setAsked, tell, refuse, attempt, scan, take, onDone };
}
type Steps = ReturnType<typeof usePassSteps>;

function known(clearedBanIds: readonly string[]) {
  return clearedBanIds.length > 0 ? { clearedBanIds: [...clearedBanIds] } : {};
}

/** What became of the last step, and the form of the next one. */
export function StepPanel({ of }: { readonly of: Steps }) {
  const { t } = useTranslation();
  const { news, refused, asked } = of;
  return (
    <>
      <div aria-live="assertive">
        {news && (
          <Alert color={news.step === 'out' ? 'info' : 'good'} variant="outline">
            <Group gap="md">
              <Text fw={600} size="lg">
                {t(`visitors.news.${news.step}`, { name: news.visitor.name, patient: news.visitor.patientName })}
              </Text>
              {news.step !== 'out' && <PrintButton visitor={news.visitor} />}
            </Group>
          </Alert>
        )}
      </div>
      {refused && (
        <Refusal
          error={refused.error}
          {...(refused.again
            ? {
                onOther: (banIds: readonly string[]) => {
                  const all = [...new Set([...refused.clearedBanIds, ...banIds])];
                  void of.attempt(refused.again as Attempt, all).then(of.onDone);
                },
              }
            : {})}
        />
      )}
      {asked?.about === 'deny' && (
        <ReasonForm
          key={asked.visitor.id}
          label={t('visitors.whyDeny', { name: asked.visitor.name })}
          submitLabel={t('visitors.deny')}
          save={(reason) => {
            const { id, version } = asked.visitor;
            const sent = { params: { path: { id } }, body: { reason, version } };
            return dataOf(api.POST('/api/crm/visitors/{id}/deny', sent));
          }}
          onSaved={() => {
            of.tell(undefined);
            of.onDone();
          }}
          onCancel={() => of.setAsked(undefined)}
        />
      )}
      {asked?.about === 'end' && (
        <EndForm
          key={asked.visitor.id}
          visitor={asked.visitor}
          onSaved={(visitor) => {
            of.tell({ visitor, step: 'longer' });
            of.onDone();
          }}
          onCancel={() => of.setAsked(undefined)}
        />
      )}
    </>
  );
}

/** What can be done with a pass now. */
export function PassActions({ of, visitor }: { readonly of: Steps; readonly visitor: Visitor }) {
  const { t } = useTranslation();
  const mayWrite = useMay()('scanVisitorPass');
  const { name, status, isExpired, validFrom } = visitor;
  const isOutside = status === 'expected' || status === 'checked_out';
  const mayEnter = isOutside && !isExpired && Date.parse(validFrom) <= Date.now();
  const step = mayEnter ? 'check-in' : status === 'checked_in' ? 'check-out' : undefined;
  return (
    <Group gap={4}>
      {mayWrite && step && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t(`visitors.stepOf.${step}`, { name })}
          onClick={() => of.take(step, visitor)}
        >
          {t(`visitors.step.${step}`)}
        </Button>
      )}
      <PrintButton visitor={visitor} />
      {mayWrite && (isOutside || status === 'expired') && (
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={t('visitors.endOf', { name })}
          onClick={() => of.setAsked({ about: 'end', visitor })}
        >
          {t('visitors.end')}
        </Button>
      )}
      {mayWrite && isOutside && !isExpired && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="bad"
          aria-label={t('visitors.denyOf', { name })}
          onClick={() => of.setAsked({ about: 'deny', visitor })}
        >
          {t('visitors.deny')}
        </Button>
      )}
    </Group>
  );
}
