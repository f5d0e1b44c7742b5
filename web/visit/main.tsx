import { createRoot } from 'react-dom/client';
import { follow } from './follow.ts';
import { VisitPage } from './visit.tsx';

const root = document.getElementById('root');
if (root) createRoot(root).render(<VisitPage />);
follow();
