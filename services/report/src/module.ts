import { Renderer } from '@hms/documents';
import type { ModuleDefinition, Platform } from '@hms/service';
import { exportRoutes } from './exports/exports.routes.ts';
import { exportTasks } from './exports/exports.tasks.ts';
import { reportRoutes } from './report.routes.ts';
import { scheduleRoutes, scheduleTask } from './schedules/schedules.routes.ts';
import { Turns, type TurnsOptions } from './turns.ts';

/** @param most reports at the same time, in the foreground and in the background. */
export function reportModule(platform: Platform, most: TurnsOptions = { ofHospital: 2, all: 4 }): ModuleDefinition {
  const renderer = new Renderer();
  // Nobody waits at a screen for what runs in the background.
  const behind = Math.max(1, Math.floor(most.all / 4));
  const turns = new Turns({ ...most, all: Math.max(1, most.all - behind) });
  return {
    name: 'report',
    version: '0.1.0',
    title: 'Reports',
    routes: [...exportRoutes({ platform }), ...scheduleRoutes, ...reportRoutes({ platform, renderer, turns })],
    tasks: [...exportTasks({ platform, turns: new Turns({ ofHospital: 1, all: behind }) }), scheduleTask],
    end: () => renderer.end(),
  };
}
