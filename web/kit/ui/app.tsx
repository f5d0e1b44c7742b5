/** What every entry is wrapped in: language, theme, data, and the session. */
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import './ui.css';
import { DirectionProvider, MantineProvider, useDirection } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import i18next from 'i18next';
import { type ReactNode, StrictMode, useEffect, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/api.ts';
import { leaveKeysToInputMethods } from '../forms/composition.ts';
import { directionOf, startLanguages } from '../i18n/i18n.ts';
import { ActingBar } from '../session/acting-bar.tsx';
import { SessionGate } from '../session/gate.tsx';
import { begin, isUnanswered, LAST_STATE, sessionState } from '../session/session.ts';
import { start, styleNonce } from '../start.ts';
import { AskDialog } from './ask.tsx';
import { printInLight, storedColorScheme } from './color-scheme.ts';
import { NetworkBar } from './network-bar.tsx';
import { cssVariables, themeOf } from './theme.ts';

/** Rate limits count each request, so nothing is read again only because a window gets the focus. */
const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: false,
      // A request without a network fails, and the page says so. Otherwise it would wait in silence.
      networkMode: 'always',
      // What could not be read then is read.
      refetchOnReconnect: true,
      retry: (count, error) => count < 2 && (!(error instanceof ApiError) || error.status >= 502),
    },
    mutations: { retry: false },
  },
});

const theme = themeOf(start.primaryColor);

/** @param words of the entry, by language. */
export async function startApp(content: ReactNode, words: Parameters<typeof startLanguages>[0]): Promise<void> {
  leaveKeysToInputMethods();
  printInLight();
  await Promise.all([startLanguages(words), begin()]);
  await goOn();
  const root = document.getElementById('root');
  if (root) {
    createRoot(root).render(
      <StrictMode>
        <App>{content}</App>
      </StrictMode>,
    );
  }
  import('../session/last-state.ts').then(
    ({ keepLastState }) => keepLastState(queryClient),
    () => undefined,
  );
}

/** After a page that went without a network. */
async function goOn(): Promise<void> {
  if (sessionStorage.getItem(LAST_STATE) === null) return;
  const session = sessionState();
  const isOffline = session.kind === 'out' && session.problem !== undefined && isUnanswered(session.problem);
  if (isOffline) (await import('../session/last-state.ts')).showLastState(queryClient);
  else sessionStorage.removeItem(LAST_STATE);
}

function App({ children }: { readonly children: ReactNode }) {
  const nonce = useMemo(styleNonce, []);
  return (
    <DirectionProvider initialDirection={directionOf(i18next.language)} detectDirection={false}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        getStyleNonce={() => nonce}
        colorSchemeManager={storedColorScheme}
        defaultColorScheme="auto"
      >
        <QueryClientProvider client={queryClient}>
          <Direction />
          <ActingBar />
          <SessionGate>{children}</SessionGate>
          <AskDialog />
          <NetworkBar />
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  );
}

/** Mirrors the layout with the language. Nothing is mounted anew, so nothing typed is lost. */
function Direction() {
  const { i18n } = useTranslation();
  const { setDirection } = useDirection();
  const direction = directionOf(i18n.language);
  useEffect(() => setDirection(direction), [direction, setDirection]);
  return null;
}
