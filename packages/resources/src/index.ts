export { bundleFamilies, catalogue, entityFamilies, familyNamed, findFamily } from './catalogue.ts';
export { fieldLimits, isRecordId, timestamp } from './fields.ts';
export { metadataOf } from './field-metadata.ts';
export type { FieldMetadata } from './field-metadata.ts';
export type * from './family.ts';
export { aiConfigSchema, aiRecordKinds, normaliseAiConfig } from './families/ai/configs.ts';
export type { AiRecordKind, NormalisedConfig } from './families/ai/configs.ts';
export { apiTokenScopes } from './families/api-tokens.ts';
export {
  apiKeyLengthMax,
  credentialPasswordLengthMax,
  hmacAlgorithms,
  jwtAlgorithmDefault,
  jwtSecretAlgorithms,
} from './families/credential-types.ts';
export type { JwtAlgorithm } from './families/credential-types.ts';
export { dataPlaneStatuses, dataPlaneSyncStatuses } from './families/data-planes.ts';
export { integrationDrivers } from './families/integrations.ts';
export { pluginScopes, pluginTriggers } from './families/plugin-fields.ts';
export { sloAlertStates, sloLimits } from './families/slos.ts';
export { clientCertificateModes } from './families/snis.ts';
export { parseTargetName } from './families/targets.ts';
export type { CertificateKeyType } from './families/certificate-fields.ts';
export { certificateSnisMax } from './families/certificates.ts';
export { passwordLength, userRoles } from './families/users.ts';
export { vaultConfigSchema, vaultDrivers } from './families/vault-configs.ts';
export type { VaultDriver } from './families/vault-configs.ts';
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
export { problemCode } from './problem-codes.ts';
export type { RecordSchema } from './record-schemas.ts';
export { anyServerName, isServerName } from './server-names.ts';
export { parseServiceUrl, serviceProtocols } from './service-urls.ts';
export type { ServiceAddress, ServiceProtocol } from './service-urls.ts';
export { compileRouteExpression, expressionCostOf, readRoutePath } from './route-paths.ts';
export type { RoutePathReading, RoutePathType } from './route-paths.ts';
export { hasAtMost, maxCharacters } from './text-length.ts';
export * from './wire/configuration-digest.ts';
export * from './wire/configuration-lines.ts';
export * from './wire/configuration.ts';
export * from './wire/heartbeat.ts';
export * from './wire/latency-histogram.ts';
export { isNestedWithin } from './wire/nesting.ts';
export * from './wire/observations.ts';
