/** The pages of the platform's administration: so far the account of whoever logs in. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { NotFoundPage } from '../kit/ui/not-here.tsx';
import { Shell } from '../kit/ui/shell.tsx';

const AccountPage = lazyRouteComponent(() => import('../kit/account/account.page.tsx'), 'AccountPage');

const root = createRootRoute({ component: () => <Shell items={[]} />, notFoundComponent: NotFoundPage });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/account' });
  },
});
const account = createRoute({ getParentRoute: () => root, path: '/account', component: AccountPage });

export const router = createRouter({ routeTree: root.addChildren([home, account]) });
