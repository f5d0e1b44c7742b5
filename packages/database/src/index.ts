export {
  type AuditFinding,
  type AuditVerification,
  sealBatch,
  verifyHospitalAudit,
  writeAuditHead,
} from './audit-chain.ts';
export { AuditDamaged, addAuditKey, removeOldAudit, type SignSummary, signedText } from './audit-retention.ts';
export { type ConnectOptions, connect, openClient, openPool } from './connect.ts';
export { createExtensions, EXTENSIONS, EXTENSIONS_SCHEMA } from './extensions.ts';
export * from './hospitals.ts';
export * from './hosts.ts';
export * from './impersonations.ts';
export {
  type AppliedMigration,
  changedMigrations,
  type Migrated,
  type Migration,
  MigrationError,
  migratePlatform,
  migrateTenant,
  migration,
  PLATFORM_SCHEMA,
  platformReferenceScript,
  readTenantMigrations,
  readTenantVersion,
  strayPlatformMigrations,
  TENANT_MIGRATIONS,
  TENANT_SCHEMA_VERSION,
  versionOf,
} from './migrations.ts';
export * from './reconcile-requests.ts';
export { acceptTokens, readRevokedTokens, revokeTokens } from './revoked-tokens.ts';
export {
  type Grants,
  type HospitalRoleRow,
  readGrants,
  readHospitalRoles,
  readRoleNames,
  withholdPermissions,
} from './role-templates.ts';
export * from './shape.ts';
export { quote } from './sql.ts';
export {
  addTaskOf,
  dropTasks,
  dropTasksOf,
  IS_PLANNED,
  listTasks,
  OWNER_APPOINTED,
  ROLES_LOST,
  retryTasks,
  TASK_STATES,
  TASKS_SCHEMA,
  TASKS_VERSION,
  type TaskFilter,
  type TaskInfo,
  type TaskState,
  tasksReferenceScript,
} from './tasks.ts';
export { build, openTenantPool, type Statement, type TenantPool, type Transaction } from './tenant-pool.ts';
export * from './tenants.ts';
export * from './usage.ts';
