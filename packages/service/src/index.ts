export { type App, createApp } from './app.ts';
export { type AuditAction, type AuditedCaller, isEndRecorded } from './audit/events.ts';
export {
  accessQuery,
  auditEvents,
  auditQuery,
  exportAudit,
  exportQuery,
  type Naming,
  readAccess,
  readAudit,
  type ShownEvent,
  sinceHeader,
  TOO_MANY_EXPORTS,
} from './audit/log.ts';
export { addOutsideEvents, unseenEvents } from './audit/outside.ts';
export { Sealer } from './audit/sealer.ts';
export { type Caller, hasRole, type Impersonation } from './caller.ts';
export type { Broadcast } from './changes/broadcast.ts';
export { type Notice, RESET } from './changes/listener.ts';
export type { ChangeSource } from './changes/source.ts';
export { TOO_MANY_STREAMS } from './changes/streams.ts';
export { withCheck } from './check.ts';
export { BYTE_ORDER_MARK, csvLines } from './csv.ts';
export { type Constraints, declareConstraints, fromDatabase } from './database-errors.ts';
export { drain } from './drain.ts';
export * from './errors.ts';
export { type Feed, type FeedPosition, type FeedRow, matchNames, readFeed } from './feeds.ts';
export * as fields from './fields.ts';
export { foldText, withoutDigraphs } from './fold.ts';
export { admitted } from './handler.ts';
export { newId } from './ids.ts';
export * from './lists.ts';
export { createLog } from './log.ts';
export { createMetrics, type Measure } from './metrics.ts';
export type { ModuleDefinition, Platform } from './module.ts';
export { openApiDocument } from './openapi/document.ts';
export { createReadiness } from './probes.ts';
export { holdNumbers, lastNumbers, returnNumber, takeNumber, takeNumberAt } from './records/numbers.ts';
export {
  type Item,
  itemWith,
  type RecordDefinition,
  type RecordQuery,
  record,
  type Standard,
} from './records/record.ts';
export { records } from './records/records.ts';
export { demandUnused, INVALID_REFERENCE, ref, type Users } from './records/references.ts';
export { changesRoute, resource } from './records/resource.ts';
export { stepsOf } from './records/steps.ts';
export { queryBoolean, since, withTraits } from './records/traits.ts';
export { cached, createRegistry, type Registry } from './registry.ts';
export { accessLog, type Locals, trackRequest } from './requests.ts';
export {
  type DataReply,
  type Method,
  type PageMeta,
  type RawReply,
  type Reply,
  type RequestContext,
  type Route,
  route,
  single,
} from './route.ts';
export { matchTerms, nameSpellings, type Precision, type SearchColumns } from './search.ts';
export { serve, startProcess } from './serve.ts';
export { readSettings, SettingsError } from './settings.ts';
export { startModule } from './start.ts';
export { NotYet, type Task, type TaskContext, task } from './tasks/task.ts';
export { workAs, workFor } from './transaction.ts';
export { checkBody } from './validation.ts';
export { demandVersion } from './version.ts';
export { type TaskName, type TaskOptions, today, type Work } from './work.ts';
