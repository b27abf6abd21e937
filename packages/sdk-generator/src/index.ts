export type { NamedType, SdkEnum, SdkObject, SdkProperty, SdkUnion, SdkVariant } from './model/named-types.ts';
export type { SdkModel } from './model/sdk-model.ts';
export type { SdkFile, SdkTarget, TargetOptions } from './target.ts';
