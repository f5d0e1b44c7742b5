import type { ModuleDefinition, Platform } from '@hms/service';
import { reportRoutes } from './report.routes.ts';
import { Turns, type TurnsOptions } from './turns.ts';

export function reportModule(platform: Platform, turns: TurnsOptions = { ofHospital: 2, all: 4 }): ModuleDefinition {
  return {
    name: 'report',
    version: '0.1.0',
    title: 'Reports',
    routes: reportRoutes({ platform, turns: new Turns(turns) }),
  };
}
