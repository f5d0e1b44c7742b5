import { Renderer } from '@hms/documents';
import type { ModuleDefinition, Platform } from '@hms/service';
import { reportRoutes } from './report.routes.ts';
import { Turns, type TurnsOptions } from './turns.ts';

export function reportModule(platform: Platform, turns: TurnsOptions = { ofHospital: 2, all: 4 }): ModuleDefinition {
  const renderer = new Renderer();
  return {
    name: 'report',
    version: '0.1.0',
    title: 'Reports',
    routes: reportRoutes({ platform, renderer, turns: new Turns(turns) }),
    end: () => renderer.end(),
  };
}
