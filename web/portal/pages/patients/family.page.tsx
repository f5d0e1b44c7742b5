/** One family: its name, its members, and its end. */
import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { Can } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { ask } from '../../../kit/ui/ask.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { FamilyPanel, useFamilyChanged } from './family-panel.tsx';
import { type FamilyWithMembers, patientKeys } from './patients.queries.ts';

const route = getRouteApi('/families/$id');

export function FamilyPage() {
  const { t } = useTranslation();
  const { id } = route.useParams();
  const found = useQuery({
    queryKey: [patientKeys.all, 'families', id],
    queryFn: ({ signal }) => dataOf(api.GET('/api/crm/families/{id}', { params: { path: { id } }, signal })),
  });
  if (!found.data) return <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />;
  return (
    <Stack gap="md">
      <PageHead title={t('family.name', { name: found.data.name })}>
        <Anchor size="sm" renderRoot={(props) => <Link to="/families" search={{}} {...props} />}>
          {t('family.all')}
        </Anchor>
      </PageHead>
      <FamilyPanel family={found.data} />
      <Can operation="changeFamily">
        <Change key={found.data.version} family={found.data} />
      </Can>
    </Stack>
  );
}

/** Another name, or the end of a family in which one person is left. */
function Change({ family: { id, name, version, members } }: { readonly family: FamilyWithMembers }) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const changed = useFamilyChanged();
  const { isBusy, error, run } = useRun();
  const [typed, setTyped] = useState(name);
  const rename = run(async () => {
    const params = { path: { id } };
    await dataOf(api.PUT('/api/crm/families/{id}', { params, body: { name: typed.trim(), version } }));
    await changed();
  });
  const remove = run(async () => {
    if (!(await ask(t('family.confirmDelete', { name }), t('family.delete'), t('family.deleteHow')))) return;
    await dataOf(api.DELETE('/api/crm/families/{id}', { params: { path: { id }, query: { version } } }));
    await changed();
    await navigate({ to: '/families', search: {} });
  });
  return (
    <Stack className="hms-panel" p="md" gap="sm">
      <ErrorPanel error={error} />
      <form
        aria-label={t('family.rename')}
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault();
          if (typed.trim() !== name) void rename();
        }}
      >
        <Group gap="sm" align="flex-end">
          <TextInput
            label={t('family.familyName')}
            required
            maxLength={100}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" loading={isBusy} disabled={typed.trim() === '' || typed.trim() === name}>
            {t('family.rename')}
          </Button>
          {members.length === 1 && (
            <Button variant="default" loading={isBusy} onClick={() => void remove()}>
              {t('family.delete')}
            </Button>
          )}
        </Group>
      </form>
    </Stack>
  );
}
