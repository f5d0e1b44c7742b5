/** The pages with forms of plain records: that of a new one, and that of an existing one. */
import { Badge, Button, Skeleton, Stack } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ReadableForm } from '../forms/readable-form.tsx';
import { FormBody, useRecordForm } from '../forms/record-form.tsx';
import { PageHead } from '../lists/list-page.tsx';
import { useChanges } from '../live/changes.ts';
import { Can, useMay } from '../roles/can.tsx';
import { useRun } from '../session/login.tsx';
import { ask } from '../ui/ask.tsx';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { Facts } from '../ui/facts.tsx';
import type { Values } from './fields.tsx';
import { Inputs } from './inputs.tsx';
import { bodyOf, type Item, type Of, type PlainRecord, pathsOf, schemaOf, useWords, valuesOf } from './plain-record.ts';

/** The form of a new record. */
export function NewRecord({ of }: Of) {
  const say = useWords(of.name);
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const back = () => void navigate({ to: pathsOf(of.name).list, search: {} });
  const form = useRecordForm<Values, Item>({
    schema: schemaOf(of.fields),
    values: Object.fromEntries(of.fields.map(({ name, empty }) => [name, empty])),
    save: (values, key) => of.create(bodyOf(of.fields, values), key),
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: [of.name] });
      back();
    },
  });
  return (
    <Stack gap="md" maw="52rem">
      <PageHead title={say('new')} />
      <Stack className="hms-panel" p="lg">
        <FormBody of={form} label={say('new')} submitLabel={t('records.create')} onCancel={back}>
          <Inputs of={form} fields={of.fields} labelOf={say} />
        </FormBody>
      </Stack>
    </Stack>
  );
}

/** One record. */
export function ExistingRecord({ of }: Of) {
  const { id = '' } = useParams({ strict: false });
  const found = useQuery(recordQuery(of, id));
  useChanges(of.changes, of.name);
  if (found.data) return <Existing key={id} of={of} item={found.data} />;
  return found.isError ? (
    <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
  ) : (
    <Skeleton height={160} animate={false} aria-busy />
  );
}

function recordQuery({ name, read }: PlainRecord, id: string) {
  return queryOptions({ queryKey: [name, id], queryFn: ({ signal }) => read(id, signal) });
}

function Existing({ of, item }: Of & { readonly item: Item }) {
  const say = useWords(of.name);
  const may = useMay();
  const queries = useQueryClient();
  const { id } = item;
  const show = (saved: Item) => {
    queries.setQueryData(recordQuery(of, id).queryKey, saved);
    void queries.invalidateQueries({ queryKey: [of.name] });
  };
  return (
    <Stack gap="md" maw="52rem">
      <Actions of={of} item={item} onChanged={show} />
      <Stack className="hms-panel" p="lg">
        <ReadableForm
          item={item}
          schema={schemaOf(of.fields)}
          label={say.title}
          mayChange={may(of.operations.change)}
          valuesOf={(shown) => valuesOf(of.fields, shown)}
          bodyOf={(values) => bodyOf(of.fields, values)}
          labelOf={say}
          save={(changes) => of.change(id, changes)}
          read={() => queries.fetchQuery({ ...recordQuery(of, id), staleTime: 0 })}
          onSaved={show}
          fields={(form) => <Inputs of={form} fields={of.fields} labelOf={say} />}
        >
          <Facts
            facts={of.fields.map(({ name, cell, read = cell }) => ({
              label: say(name),
              value: read(item[name as keyof Item]),
            }))}
          />
        </ReadableForm>
      </Stack>
    </Stack>
  );
}

interface ActionsProps extends Of {
  readonly item: Item;
  onChanged(item: Item): void;
}

/** The name of a record, and what can be done with it. */
function Actions({ of, item, onChanged }: ActionsProps) {
  const say = useWords(of.name);
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { error, run } = useRun();
  const name = of.nameOf(item);
  const remove = async () => {
    if (!(await ask(say('confirm', { name }), t('records.delete'), t('records.deleteHow')))) return;
    await of.remove(item.id);
    await navigate({ to: pathsOf(of.name).list, search: {} });
    void queries.invalidateQueries({ queryKey: [of.name] });
  };
  const isActive = item.status !== 'inactive';
  return (
    <>
      <PageHead title={name}>
        {!isActive && (
          <Badge color="quiet" variant="outline" tt="none">
            {t('records.statuses.inactive')}
          </Badge>
        )}
        {of.operations.activate && (
          <Can operation={of.operations.activate}>
            <Button
              size="compact-md"
              variant="default"
              onClick={run(async () => onChanged(await of.setActive(item.id, !isActive)))}
            >
              {t(isActive ? 'records.deactivate' : 'records.activate')}
            </Button>
          </Can>
        )}
        {of.operations.remove && (
          <Can operation={of.operations.remove}>
            <Button size="compact-md" variant="default" c="bad" onClick={run(remove)}>
              {t('records.delete')}
            </Button>
          </Can>
        )}
      </PageHead>
      <ErrorPanel error={error} />
    </>
  );
}
