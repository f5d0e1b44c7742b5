/** Appointments and free times of several days or doctors beside each other, or below each other on a phone. */
import { type CSSProperties, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Appointment, Slot } from './appointments.queries.ts';
import { type Column, hourHeight, hoursOf, type Item, itemsOf, linesIn, nextSpot } from './calendar.ts';
import '../schedules/week.css';
import './calendar.css';

interface Props {
  readonly columns: readonly Column[];
  readonly zone: string;
  /** The column of today. */
  readonly current: string | undefined;
  readonly mayWrite: boolean;
  /** The appointment that gets the next time that is chosen. */
  readonly moving: Appointment | undefined;
  onOpen(appointment: Appointment): void;
  onChoose(slot: Slot): void;
  /** Takes an appointment into the hand, or lets it go. */
  onTake(appointment: Appointment | undefined): void;
  onMove(appointment: Appointment, slot: Slot): void;
}

/**
 * Arrow keys move the cursor. Enter opens an appointment, or takes a free time. M moves an appointment: the next free time
 * that is chosen is its new one. A mouse drags it.
 */
export function Calendar(props: Props) {
  const { t, i18n } = useTranslation();
  const { columns, zone, current } = props;
  const grid = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState('');
  // Nothing else on the page says so: it would move what is below the mouse.
  const [dragged, setDragged] = useState<Appointment>();
  const moving = dragged ?? props.moving;
  const placed = columns.map((column) => ({ column, items: itemsOf(column, zone) }));
  const all = placed.flatMap(({ items }, column) => items.map((item) => ({ column, start: item.start, item })));
  const { first, last } = hoursOf(all.map(({ item }) => item));
  const hours = Array.from({ length: last - first }, (_, index) => first + index);
  // The cursor comes with Tab to one of them, and the arrow keys lead to the others.
  const entry = all.find(({ item }) => item.key === at)?.item.key ?? all[0]?.item.key;
  const onKeyDown = (event: KeyboardEvent) => {
    // Those of the browser, such as Alt and an arrow to go back.
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const from = all.findIndex(({ item }) => item.key === (event.target as HTMLElement).dataset.item);
    const appointment = all[from]?.item.appointment;
    if (event.key === 'Escape') props.onTake(undefined);
    else if (event.code === 'KeyM' && appointment && isMovable(props, appointment)) props.onTake(appointment);
    else {
      const next = nextSpot(all, from, event.key, i18n.dir() === 'rtl');
      if (next === undefined) return;
      const key = all[next]?.item.key ?? '';
      grid.current?.querySelector<HTMLElement>(`[data-item="${CSS.escape(key)}"]`)?.focus();
    }
    event.preventDefault();
  };
  const height = hourHeight(all.map(({ item }) => item));
  const style = { '--hours': hours.length, '--hour': `${height}rem` };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons in it
    <div
      ref={grid}
      className="hms-panel hms-week hms-calendar"
      style={{ ...style, '--columns': columns.length } as CSSProperties}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => setAt((target as HTMLElement).dataset.item ?? '')}
    >
      <div className="hms-week-axis" aria-hidden>
        <div className="hms-week-head" />
        <ol>
          {hours.map((hour) => (
            <li key={hour} className="hms-number">
              {String(hour).padStart(2, '0')}:00
            </li>
          ))}
        </ol>
      </div>
      {placed.map(({ column, items }) => (
        <section key={column.key} className="hms-week-day" aria-label={column.title}>
          <div className="hms-week-head" {...(column.key === current ? { 'data-today': true } : {})}>
            <strong aria-hidden>
              <bdi>{column.title}</bdi>
            </strong>
          </div>
          {items.length === 0 ? (
            <p className="hms-calendar-none">{t('appointments.nothing')}</p>
          ) : (
            <ol>
              {items.map((item) => (
                <li
                  key={item.key}
                  style={{ ...placeOf(item, first), '--lines': linesIn(item, height) } as CSSProperties}
                >
                  <Block {...props} item={item} isEntry={item.key === entry} moving={moving} onDrag={setDragged} />
                </li>
              ))}
            </ol>
          )}
        </section>
      ))}
    </div>
  );
}

function isMovable({ mayWrite }: Pick<Props, 'mayWrite'>, { status }: Appointment): boolean {
  return mayWrite && (status === 'booked' || status === 'confirmed');
}

/** Where an item is on the paper: minutes after the first hour, and its part of the width. */
function placeOf({ start, minutes, lane, lanes }: Item, first: number): CSSProperties {
  const [hour = 0, minute = 0] = start.split(':').map(Number);
  return {
    '--start': (hour - first) * 60 + minute,
    '--minutes': minutes,
    '--lane': lane,
    '--lanes': lanes,
  } as CSSProperties;
}

interface BlockProps extends Props {
  readonly item: Item;
  readonly isEntry: boolean;
  /** A mouse takes an appointment, or lets it go. */
  onDrag(appointment: Appointment | undefined): void;
}

function Block(props: BlockProps): ReactNode {
  const { item, isEntry, moving, mayWrite } = props;
  const { t } = useTranslation();
  const { key, time, start, appointment, slot } = item;
  const common = {
    type: 'button',
    className: 'hms-block',
    tabIndex: isEntry ? 0 : -1,
    'data-item': key,
    'data-time': time,
  } as const;
  if (appointment) {
    const { patientName, status } = appointment;
    const movable = isMovable(props, appointment);
    return (
      <button
        {...common}
        data-status={status}
        {...(moving?.id === appointment.id ? { 'data-moving': true } : {})}
        {...(movable ? { draggable: true, 'aria-keyshortcuts': 'M' } : {})}
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = 'move';
          props.onDrag(appointment);
        }}
        onDragEnd={() => props.onDrag(undefined)}
        onClick={() => props.onOpen(appointment)}
      >
        <span className="hms-calendar-text">
          <strong className="hms-number">{start}</strong> <bdi>{patientName}</bdi>
          <span className="hms-calendar-status">{t(`appointments.status.${status}`)}</span>
        </span>
      </button>
    );
  }
  if (!slot) return null;
  if (slot.free === 0)
    return (
      <button {...common} data-held aria-disabled>
        <span className="hms-calendar-text">
          <strong className="hms-number">{start}</strong> {t('appointments.full.held')}
        </span>
      </button>
    );
  const label = t(moving ? 'appointments.moveTo' : 'appointments.bookAt', { at: start });
  return (
    <button
      {...common}
      data-free
      disabled={!mayWrite}
      aria-label={slot.capacity > 1 ? `${label}, ${t('appointments.free', { count: slot.free })}` : label}
      onDragOver={(event) => moving && event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        if (moving) props.onMove(moving, slot);
        props.onDrag(undefined);
      }}
      onClick={() => props.onChoose(slot)}
    >
      <span className="hms-number">{start}</span>
      {slot.capacity > 1 && <span> {t('appointments.free', { count: slot.free })}</span>}
    </button>
  );
}
