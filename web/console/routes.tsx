/** The pages of the platform's administration. Each names the operation that it needs: menu and guard follow it. */
import {
  IconBuildingHospital,
  IconDatabaseCog,
  IconEngine,
  IconHistory,
  IconShieldCheck,
  IconUserShield,
} from '@tabler/icons-react';
import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { filteredSearch, listSearch, maybe } from '../kit/lists/list-search.ts';
import { NotFoundPage, pageForAll, pageWith } from '../kit/ui/page.tsx';
import { Shell } from '../kit/ui/shell.tsx';
import { kitPages } from '../kit/words/pages.ts';
import { consolePages } from './pages/words.ts';

const AccountPage = pageForAll(kitPages.account, kitPages.permissions)(
  () => import('../kit/account/account.page.tsx'),
  'AccountPage',
);

const impersonationPage = pageWith(consolePages.impersonation, kitPages.impersonations);
const hospitalPage = pageWith(consolePages.hospitals);
const platformPage = pageWith(consolePages.platform, consolePages.hospitals);
const templatePage = pageWith(consolePages.templates, kitPages.permissions);
const eventPage = pageWith(consolePages.events);

const root = createRootRoute({ component: Console, notFoundComponent: NotFoundPage });

function Console() {
  const { t } = useTranslation();
  return (
    <Shell
      sections={[
        {
          items: [
            { to: '/hospitals', label: t('menu.hospitals'), icon: IconBuildingHospital, operation: 'listHospitals' },
            { to: '/engines', label: t('menu.engines'), icon: IconEngine, operation: 'readPlatform' },
            { to: '/migrations', label: t('menu.migrations'), icon: IconDatabaseCog, operation: 'readPlatform' },
            {
              to: '/impersonation',
              label: t('menu.impersonation'),
              icon: IconUserShield,
              operation: 'startImpersonation',
            },
            { to: '/templates', label: t('menu.templates'), icon: IconShieldCheck, operation: 'listRoleTemplates' },
            { to: '/audit', label: t('menu.audit'), icon: IconHistory, operation: 'listConsoleEvents' },
          ],
        },
      ]}
    />
  );
}

const HOME: string = '/hospitals';

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: HOME });
  },
});
const account = createRoute({ getParentRoute: () => root, path: '/account', component: AccountPage });
const impersonation = createRoute({
  getParentRoute: () => root,
  path: '/impersonation',
  component: impersonationPage(
    'startImpersonation',
    () => import('./pages/impersonations/impersonation.page.tsx'),
    'ImpersonationPage',
  ),
});

const hospitals = createRoute({
  getParentRoute: () => root,
  path: '/hospitals',
  validateSearch: filteredSearch,
  component: hospitalPage('listHospitals', () => import('./pages/hospitals/hospitals.page.tsx'), 'HospitalsPage'),
});

const newHospital = createRoute({
  getParentRoute: () => root,
  path: '/hospitals/new',
  component: hospitalPage('createHospital', () => import('./pages/hospitals/new-hospital.page.tsx'), 'NewHospitalPage'),
});

const hospital = createRoute({
  getParentRoute: () => root,
  path: '/hospitals/$id',
  validateSearch: z.object({ tab: maybe(z.string().check(z.maxLength(20))) }),
  component: hospitalPage('readHospital', () => import('./pages/hospitals/hospital.page.tsx'), 'HospitalPage'),
});

const engines = createRoute({
  getParentRoute: () => root,
  path: '/engines',
  component: platformPage('readPlatform', () => import('./pages/platform/engines.page.tsx'), 'EnginesPage'),
});

const migrations = createRoute({
  getParentRoute: () => root,
  path: '/migrations',
  component: platformPage('readPlatform', () => import('./pages/platform/migrations.page.tsx'), 'MigrationsPage'),
});

const templates = createRoute({
  getParentRoute: () => root,
  path: '/templates',
  component: templatePage('listRoleTemplates', () => import('./pages/templates/templates.page.tsx'), 'TemplatesPage'),
});

const newTemplate = createRoute({
  getParentRoute: () => root,
  path: '/templates/new',
  component: templatePage('createRoleTemplate', () => import('./pages/templates/template.page.tsx'), 'NewTemplatePage'),
});

const template = createRoute({
  getParentRoute: () => root,
  path: '/templates/$id',
  component: templatePage('readRoleTemplate', () => import('./pages/templates/template.page.tsx'), 'TemplatePage'),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: listSearch,
  component: eventPage('listConsoleEvents', () => import('./pages/audit/events.page.tsx'), 'EventsPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    account,
    hospitals,
    newHospital,
    hospital,
    engines,
    migrations,
    impersonation,
    templates,
    newTemplate,
    template,
    audit,
  ]),
});
