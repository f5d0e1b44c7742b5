import { createRoot } from 'react-dom/client';
import { VerifyPage } from './verify.tsx';

const root = document.getElementById('root');
if (root) createRoot(root).render(<VerifyPage />);
