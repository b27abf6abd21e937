export { bundleFamilies, catalogue, familyNamed, findFamily } from './catalogue.ts';
export { fieldLimits, isRecordId } from './fields.ts';
export { metadataOf } from './field-metadata.ts';
export type { FieldMetadata } from './field-metadata.ts';
export type * from './family.ts';
export { apiTokenScopes } from './families/api-tokens.ts';
export { apiKeyLength } from './families/consumer-credentials.ts';
export { dataPlaneStatuses, dataPlaneSyncStatuses } from './families/data-planes.ts';
export { pluginScopes, pluginTriggers } from './families/plugin-fields.ts';
export { parseTargetName } from './families/targets.ts';
export type { CertificateKeyType } from './families/certificate-fields.ts';
export { passwordLength, userRoles } from './families/users.ts';
export { isHostPattern } from './hosts.ts';
export { normalisePath } from './normalise-path.ts';
export type { PathRefusal } from './normalise-path.ts';
export {
  immutableFields,
  nameFields,
  patchSchema,
  readSchema,
  secretFields,
  typeName,
  writeSchema,
} from './record-schemas.ts';
export type { RecordSchema } from './record-schemas.ts';
export { isServerName } from './server-names.ts';
export { parseServiceUrl, serviceProtocols } from './service-urls.ts';
export type { ServiceAddress, ServiceProtocol } from './service-urls.ts';
export { compileRouteExpression, readRoutePath } from './route-paths.ts';
export type { RoutePathReading, RoutePathType } from './route-paths.ts';
export * from './wire/configuration.ts';
export * from './wire/latency-histogram.ts';
export * from './wire/observations.ts';
