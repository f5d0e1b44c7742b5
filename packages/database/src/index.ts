export { type ConnectOptions, connect } from './connect.ts';
export * from './hospitals.ts';
export { inTenant } from './in-tenant.ts';
export {
  type Migrated,
  type Migration,
  MigrationError,
  migratePlatform,
  migrateTenant,
  migration,
  readTenantVersion,
  TENANT_MIGRATIONS,
  TENANT_SCHEMA_VERSION,
  tablesAfter,
} from './migrations.ts';
export * from './reconcile-requests.ts';
export * from './tenants.ts';
