/** Where the focus goes when the element that has it goes. */
import { type FocusEvent, useLayoutEffect, useRef } from 'react';

interface Place {
  readonly control: HTMLElement;
  readonly row: HTMLElement | null;
  /** Of the row in its list. */
  at: number;
}

/**
 * Keeps the focus in a section, whose actions have the attribute `data-action`. From a panel, it returns to the action
 * that opened it. When a step of this person takes its row away, it goes to the same action of the next row, and without
 * rows to the first action. Otherwise it goes to the heading, so that no key reaches somebody else.
 * @param isOwn whether such a step is under way, or has just ended.
 * @returns properties of the section
 */
export function useKeptFocus<Section extends HTMLElement>(isOwn: () => boolean) {
  const ref = useRef<Section>(null);
  const holder = useRef<HTMLElement>(undefined);
  const place = useRef<Place>(undefined);
  useLayoutEffect(() => {
    const section = ref.current;
    const rows = [...(section?.querySelectorAll<HTMLElement>('tbody tr') ?? [])];
    const from = place.current;
    if (from?.row?.isConnected) from.at = rows.indexOf(from.row);
    const isLost = holder.current?.isConnected === false && document.activeElement === document.body;
    if (!isLost) return;
    holder.current = undefined;
    const target = from && targetOf(from, section, rows, isOwn());
    const heading = section?.querySelector<HTMLElement>('h2, [role=status]') ?? document.querySelector('main h1');
    (target ?? heading)?.focus();
  });
  const onFocus = ({ target }: FocusEvent<Section, HTMLElement>) => {
    holder.current = target;
    const row = target.closest('tr');
    if (row || target.dataset.action) place.current = { control: target, row, at: -1 };
  };
  // Not when the element goes: React then reports nothing.
  const onBlur = () => {
    holder.current = undefined;
  };
  return { ref, onFocus, onBlur };
}

function targetOf({ control, row, at }: Place, section: HTMLElement | null, rows: readonly Element[], isOwn: boolean) {
  if (control.isConnected) return control;
  if (!isOwn) return undefined;
  const { action } = control.dataset;
  const scope = row ? rows[at] : section;
  return scope?.querySelector<HTMLElement>(row ? `[data-action="${action}"]` : '[data-action]');
}
