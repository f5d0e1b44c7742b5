export { type RequestOptions, send, startTestModule, type TestAnswer, type TestModule } from './client.ts';
export { createTestHospital, insertTestHospital, type TestHospital } from './hospital.ts';
export { createIssuer, type Issuer, type TokenChanges } from './issuer.ts';
