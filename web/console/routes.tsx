/** The pages of the platform's administration. Each names the operation that it needs: menu and guard follow it. */
import { IconHistory, IconShieldCheck, IconUserShield } from '@tabler/icons-react';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { listSearch } from '../kit/lists/list-search.ts';
import { NotFoundPage, page } from '../kit/ui/page.tsx';
import { Shell } from '../kit/ui/shell.tsx';

const AccountPage = lazyRouteComponent(() => import('../kit/account/account.page.tsx'), 'AccountPage');

const root = createRootRoute({ component: Console, notFoundComponent: NotFoundPage });

function Console() {
  const { t } = useTranslation();
  return (
    <Shell
      items={[
        { to: '/impersonation', label: t('acting.title'), icon: IconUserShield, operation: 'startImpersonation' },
        { to: '/templates', label: t('templates.title'), icon: IconShieldCheck, operation: 'listRoleTemplates' },
        { to: '/audit', label: t('events.title'), icon: IconHistory, operation: 'listConsoleEvents' },
      ]}
    />
  );
}

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/account' });
  },
});
const account = createRoute({ getParentRoute: () => root, path: '/account', component: AccountPage });
const impersonation = createRoute({
  getParentRoute: () => root,
  path: '/impersonation',
  component: page(
    'startImpersonation',
    () => import('./pages/impersonations/impersonation.page.tsx'),
    'ImpersonationPage',
  ),
});

const templates = createRoute({
  getParentRoute: () => root,
  path: '/templates',
  component: page('listRoleTemplates', () => import('./pages/templates/templates.page.tsx'), 'TemplatesPage'),
});

const newTemplate = createRoute({
  getParentRoute: () => root,
  path: '/templates/new',
  component: page('createRoleTemplate', () => import('./pages/templates/template.page.tsx'), 'NewTemplatePage'),
});

const template = createRoute({
  getParentRoute: () => root,
  path: '/templates/$id',
  component: page('readRoleTemplate', () => import('./pages/templates/template.page.tsx'), 'TemplatePage'),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: listSearch,
  component: page('listConsoleEvents', () => import('./pages/audit/events.page.tsx'), 'EventsPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([home, account, impersonation, templates, newTemplate, template, audit]),
});
