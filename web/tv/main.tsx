import { createRoot } from 'react-dom/client';
import { stayAwake } from './awake.ts';
import { live } from './display.ts';
import { keepShell } from './shell.ts';
import { Tv } from './tv.tsx';

const root = document.getElementById('root');
if (root) createRoot(root).render(<Tv />);
stayAwake();
live();
keepShell();
