import { RouterProvider } from '@tanstack/react-router';
import { startApp } from '../kit/ui/app.tsx';
import { router } from './routes.tsx';

await startApp(<RouterProvider router={router} />, {
  en: async () => ({ default: (await import('../kit/words/en.ts')).kitWords }),
  ar: async () => ({ default: (await import('../kit/words/ar.ts')).kitWords }),
});
