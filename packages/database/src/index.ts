export { type ConnectOptions, connect } from './connect.ts';
export * from './hospitals.ts';
export * from './hosts.ts';
export { inTenant } from './in-tenant.ts';
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
export * from './tenants.ts';
