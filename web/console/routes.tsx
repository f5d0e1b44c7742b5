/** The pages of the platform's administration. */
import { IconUserShield } from '@tabler/icons-react';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Guard, NotFoundPage } from '../kit/ui/not-here.tsx';
import { Shell } from '../kit/ui/shell.tsx';

const AccountPage = lazyRouteComponent(() => import('../kit/account/account.page.tsx'), 'AccountPage');
const ImpersonationPage = lazyRouteComponent(() => import('./pages/impersonation.page.tsx'), 'ImpersonationPage');

const root = createRootRoute({ component: Console, notFoundComponent: NotFoundPage });

function Console() {
  const { t } = useTranslation();
  return (
    <Shell
      items={[
        { to: '/impersonation', label: t('acting.title'), icon: IconUserShield, operation: 'startImpersonation' },
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
  component: () => (
    <Guard operation="startImpersonation">
      <ImpersonationPage />
    </Guard>
  ),
});

export const router = createRouter({ routeTree: root.addChildren([home, account, impersonation]) });
