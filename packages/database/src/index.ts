export { type ConnectOptions, connect } from './connect.ts';
export * from './hospitals.ts';
export { inTenant } from './in-tenant.ts';
export { type Migrated, migratePlatform, migrateTenant, TENANT_SCHEMA_VERSION } from './migrations.ts';
export * from './tenants.ts';
