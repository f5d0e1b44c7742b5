export {
  type AuditFinding,
  type AuditVerification,
  sealBatch,
  verifyHospitalAudit,
  writeAuditHead,
} from './audit-chain.ts';
export { type ConnectOptions, connect } from './connect.ts';
export * from './hospitals.ts';
export * from './hosts.ts';
export {
  type Migrated,
  type Migration,
  MigrationError,
  migratePlatform,
  migrateTenant,
  migration,
  PLATFORM_SCHEMA,
  platformReferenceScript,
  readTenantVersion,
  TENANT_MIGRATIONS,
  TENANT_SCHEMA_VERSION,
} from './migrations.ts';
export * from './reconcile-requests.ts';
export * from './shape.ts';
export { quote } from './sql.ts';
export { build, openTenantPool, type Statement, type TenantPool, type Transaction } from './tenant-pool.ts';
export * from './tenants.ts';
