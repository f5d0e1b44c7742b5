/** Where somebody begins: at the first thing of the menu that they may do. */
import { Navigate } from '@tanstack/react-router';
import { useMay } from '../kit/roles/can.tsx';
import { useMenu } from './menu.ts';

export function Home() {
  const may = useMay();
  const [first] = useMenu().flatMap(({ items }) => items.filter(({ operation }) => may(operation)));
  return <Navigate to={first?.to ?? '/account'} search={{}} replace />;
}
