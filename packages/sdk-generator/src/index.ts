export type { SdkProblem, SdkWarning } from './build/findings.ts';
export { sdkLimits } from './build/limits.ts';
export { generateSdk } from './generate-sdk.ts';
export type { Sdk, SdkGeneration, SdkOptions } from './generate-sdk.ts';
export { generatorVersion } from './release.ts';
export { sdkTargets } from './targets/index.ts';
export type { SdkTargetName } from './targets/index.ts';
