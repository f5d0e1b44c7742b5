/** The pages of the portal. Each names the operation that it needs: menu and guard follow it. */
import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { INVITATION_PATH } from '../../kit/account/waiting-invitation.ts';
import { listSearch } from '../../kit/lists/list-search.ts';
import { pageForAll, WaitedFor } from '../../kit/ui/page.tsx';
import { kitPages } from '../../kit/words/pages.ts';
import { Home } from '../home.tsx';
import { portalPages } from '../pages/words.ts';
import { deskRoutes } from './desk.ts';
import { laboratoryRoutes } from './laboratory.ts';
import { moneyRoutes } from './money.ts';
import { organizationRoutes } from './organization.ts';
import { patientsRoutes } from './patients.ts';
import { pharmacyRoutes } from './pharmacy.ts';
import { recordRoutes } from './records.ts';
import { reportRoutes } from './reports.ts';
import { root } from './root.tsx';

const AccountPage = pageForAll(kitPages.account, kitPages.permissions)(
  () => import('../../kit/account/account.page.tsx'),
  'AccountPage',
);

const home = createRoute({ getParentRoute: () => root, path: '/', component: Home });

const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: z.object({ q: listSearch.shape.q }),
  component: pageForAll(portalPages.search, portalPages.patients)(
    () => import('../pages/search/search.page.tsx'),
    'SearchPage',
  ),
});

/** Somebody who has accepted an invitation is at work. */
const invitation = createRoute({
  getParentRoute: () => root,
  path: INVITATION_PATH,
  beforeLoad: () => {
    throw redirect({ to: '/', search: {} });
  },
});

const account = createRoute({ getParentRoute: () => root, path: '/account', component: AccountPage });

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    search,
    invitation,
    account,
    ...patientsRoutes,
    ...deskRoutes,
    ...laboratoryRoutes,
    ...pharmacyRoutes,
    ...moneyRoutes,
    ...reportRoutes,
    ...organizationRoutes,
    ...recordRoutes,
  ]),
  scrollRestoration: true,
  defaultPreload: 'intent',
  // A page that is waited for is shown as such at the first address only. Afterwards, the former page stays.
  defaultPendingComponent: WaitedFor,
  defaultPendingMs: 1_000,
});
const isFirst = router.subscribe('onResolved', () => {
  router.options.defaultPendingMs = Number.POSITIVE_INFINITY;
  isFirst();
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
