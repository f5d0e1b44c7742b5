import { RouterProvider } from '@tanstack/react-router';
import { startApp } from '../kit/ui/app.tsx';
import { router } from './routes/routes.ts';

// While the session is read.
void router.preloadRoute({ to: location.pathname });
await startApp(<RouterProvider router={router} />, {
  en: () => import('./words/en.ts'),
  ar: () => import('./words/ar.ts'),
});
// A page that is loaded again without a network is there.
navigator.serviceWorker?.register('/portal-worker.js').catch(() => undefined);
