/** What is around each page. */
import { createRootRoute } from '@tanstack/react-router';
import { NotFoundPage } from '../../kit/ui/page.tsx';
import { Shell } from '../../kit/ui/shell.tsx';
import { CriticalNotice } from '../critical-notice.tsx';
import { useMenu } from '../menu.ts';
import { StockNotice } from '../stock-notice.tsx';

export const root = createRootRoute({ component: Portal, notFoundComponent: NotFoundPage });

function Portal() {
  const notices = (
    <>
      <CriticalNotice />
      <StockNotice />
    </>
  );
  return <Shell sections={useMenu()} searchPath="/search" notice={notices} />;
}
