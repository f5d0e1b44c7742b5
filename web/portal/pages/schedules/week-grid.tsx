/** Seven days beside each other, or below each other on a phone. */
import { ActionIcon } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../kit/api/api.ts';
import { dayName } from '../../../kit/time/time.ts';
import { type Block, blocksOf, daysOf, hoursOf, minutesOf, slotsOf } from './week.ts';
import './week.css';

interface Props {
  readonly week: Schemas['Week'];
  readonly today: string;
  /** Several people: their names are shown, and what is at the same time is one below the other. */
  readonly isOfClinic: boolean;
  onOpen?(scheduleId: string, day: string): void;
  onAdd?(day: string): void;
}

export function WeekGrid({ week, today, isOfClinic, onOpen, onAdd }: Props) {
  const { t } = useTranslation();
  const days = daysOf(week.from).map((day) => ({ day, blocks: blocksOf(day, week) }));
  const { first, last } = hoursOf(days.flatMap(({ blocks }) => blocks));
  const hours = Array.from({ length: last - first }, (_, index) => first + index);
  return (
    <div
      className={`hms-panel hms-week${isOfClinic ? ' hms-week-list' : ''}`}
      style={{ '--hours': hours.length } as CSSProperties}
    >
      {!isOfClinic && (
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
      )}
      {days.map(({ day, blocks }) => (
        <section key={day} className="hms-week-day" aria-label={dayName(day, 'long')}>
          <div className="hms-week-head" {...(day === today ? { 'data-today': true } : {})}>
            <strong aria-hidden>{dayName(day, 'short')}</strong>
            {onAdd && day >= today && (
              <ActionIcon
                size="sm"
                variant="subtle"
                aria-label={t('schedules.addOn', { day: dayName(day, 'long') })}
                onClick={() => onAdd(day)}
              >
                <IconPlus size={16} aria-hidden />
              </ActionIcon>
            )}
          </div>
          <ol>
            {blocks.map((block) => (
              <li key={block.key} style={placeOf(block, first, last)}>
                <BlockView {...{ block, day, isOfClinic }} {...(onOpen ? { onOpen } : {})} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

/** Where a block is on the paper: minutes after the first hour. */
function placeOf({ start, end }: Block, first: number, last: number): CSSProperties {
  const begin = Math.max(minutesOf(start), first * 60);
  const minutes = Math.min(minutesOf(end), last * 60) - begin;
  return { '--start': begin - first * 60, '--minutes': minutes } as CSSProperties;
}

interface BlockProps extends Pick<Props, 'isOfClinic' | 'onOpen'> {
  readonly block: Block;
  readonly day: string;
}

function BlockView({ block: { start, end, doctorName, work }, day, isOfClinic, onOpen }: BlockProps) {
  const { t } = useTranslation();
  const isWholeDay = start === '00:00' && end === '24:00';
  const lines = work
    ? [
        ...(isOfClinic ? [doctorName] : [work.clinicName]),
        ...(work.roomName === null ? [] : [work.roomName]),
        t('schedules.slots', { number: slotsOf({ start, end }, work.slotMinutes).length, minutes: work.slotMinutes }),
      ]
    : [...(isOfClinic ? [doctorName] : []), t(isWholeDay ? 'schedules.awayAllDay' : 'schedules.away')];
  const content = (
    <>
      {!(isWholeDay && !work) && (
        <strong className="hms-number">
          {start}–{end}
        </strong>
      )}
      {lines.map((line) => (
        <div key={line}>
          <bdi>{line}</bdi>
        </div>
      ))}
    </>
  );
  if (!work)
    return (
      <div className="hms-block" data-away>
        {content}
      </div>
    );
  return onOpen ? (
    <button type="button" className="hms-block" onClick={() => onOpen(work.scheduleId, day)}>
      {content}
    </button>
  ) : (
    <div className="hms-block">{content}</div>
  );
}
