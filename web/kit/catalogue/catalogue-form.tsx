/** The form of a new record of a catalogue, and the page of an existing one. */
import { Badge, Button, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EditForm } from '../forms/edit-form.tsx';
import { FormBody, type RecordForm, useRecordForm } from '../forms/record-form.tsx';
import { PageHead } from '../lists/list-page.tsx';
import { Can, useMay } from '../roles/can.tsx';
import { ErrorPanel } from '../ui/error-panel.tsx';
import {
  bodyOf,
  type Catalogue,
  type CatalogueName,
  type Item,
  type Of,
  pathsOf,
  schemaOf,
  useWords,
  valuesOf,
} from './catalogue.ts';
import type { CatalogueField, Values } from './fields.tsx';

/** The form of a new record. */
export function CatalogueNew<Name extends CatalogueName, Row extends Item, Body>({ of }: Of<Name, Row, Body>) {
  const say = useWords(of.name);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const back = () => void navigate({ to: pathsOf(of.name).list, search: {} });
  const form = useRecordForm<Values, Row>({
    schema: schemaOf(of.fields),
    values: Object.fromEntries(of.fields.map(({ name, empty }) => [name, empty])),
    save: (values, key) => of.create(bodyOf<Body>(of.fields, values), key),
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: [of.name] });
      back();
    },
  });
  return (
    <Stack gap="md" maw="52rem">
      <PageHead title={say('new')} />
      <Stack className="hms-panel" p="lg">
        <FormBody of={form} label={say('new')} submitLabel={say('create')} onCancel={back}>
          <Inputs of={form} fields={of.fields} labelOf={say} />
        </FormBody>
      </Stack>
    </Stack>
  );
}

/** One record. */
export function CatalogueRecord<Name extends CatalogueName, Row extends Item, Body>({ of }: Of<Name, Row, Body>) {
  const { id = '' } = useParams({ strict: false });
  const found = useQuery(recordQuery(of, id));
  if (found.data) return <Existing key={id} of={of} item={found.data} />;
  return found.isError ? (
    <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
  ) : (
    <Skeleton height={160} animate={false} aria-busy />
  );
}

function recordQuery<Name extends CatalogueName, Row extends Item, Body>(
  { name, read }: Catalogue<Name, Row, Body>,
  id: string,
) {
  return queryOptions({ queryKey: [name, id], queryFn: ({ signal }) => read(id, signal) });
}

function Existing<Name extends CatalogueName, Row extends Item, Body>({
  of,
  item,
}: Of<Name, Row, Body> & { readonly item: Row }) {
  const say = useWords(of.name);
  const may = useMay();
  const queries = useQueryClient();
  const { id } = item;
  const show = (saved: Row) => {
    queries.setQueryData(recordQuery(of, id).queryKey, saved);
    void queries.invalidateQueries({ queryKey: [of.name] });
  };
  return (
    <Stack gap="md" maw="52rem">
      <Actions of={of} item={item} onChanged={show} />
      <Stack className="hms-panel" p="lg">
        <EditForm
          item={item}
          schema={schemaOf(of.fields)}
          label={say.title}
          mayChange={may(of.operations.change)}
          valuesOf={(shown) => valuesOf(of.fields, shown)}
          bodyOf={(values) => bodyOf<Body & object>(of.fields, values)}
          labelOf={say}
          save={(changes) => of.change(id, changes)}
          read={() => queries.fetchQuery({ ...recordQuery(of, id), staleTime: 0 })}
          onSaved={show}
          fields={(form, isReadOnly) => <Inputs of={form} fields={of.fields} labelOf={say} isReadOnly={isReadOnly} />}
        />
      </Stack>
    </Stack>
  );
}

interface ActionsProps<Name extends CatalogueName, Row extends Item, Body> extends Of<Name, Row, Body> {
  readonly item: Row;
  onChanged(item: Row): void;
}

/** The name of a record, and what can be done with it. */
function Actions<Name extends CatalogueName, Row extends Item, Body>(props: ActionsProps<Name, Row, Body>) {
  const { of, item, onChanged } = props;
  const say = useWords(of.name);
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>();
  const run = (action: () => Promise<void>) => {
    setError(undefined);
    void action().catch(setError);
  };
  const remove = async () => {
    if (!confirm(say('confirm', { name: item.name }))) return;
    await of.remove(item.id);
    await navigate({ to: pathsOf(of.name).list, search: {} });
    void queries.invalidateQueries({ queryKey: [of.name] });
  };
  const { setActive } = of;
  const isActive = item.status !== 'inactive';
  return (
    <>
      <PageHead title={item.name}>
        {!isActive && (
          <Badge color="#495057" variant="outline" tt="none">
            {t('catalogue.statuses.inactive')}
          </Badge>
        )}
        {setActive && of.operations.activate && (
          <Can operation={of.operations.activate}>
            <Button
              size="compact-md"
              variant="default"
              onClick={() => run(async () => onChanged(await setActive(item.id, !isActive)))}
            >
              {t(isActive ? 'catalogue.deactivate' : 'catalogue.activate')}
            </Button>
          </Can>
        )}
        <Can operation={of.operations.remove}>
          <Button size="compact-md" variant="default" c="red.9" onClick={() => run(remove)}>
            {t('catalogue.delete')}
          </Button>
        </Can>
      </PageHead>
      <ErrorPanel error={error} />
    </>
  );
}

interface InputsProps {
  readonly of: RecordForm<Values>;
  readonly fields: readonly CatalogueField[];
  readonly isReadOnly?: boolean;
  labelOf(name: string): string;
}

function Inputs({ of, fields, isReadOnly = false, labelOf }: InputsProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      {fields.map(({ name, input: Input }, index) => (
        <Input key={name} {...{ of, isReadOnly }} label={labelOf(name)} isFirst={index === 0} />
      ))}
    </SimpleGrid>
  );
}
