export type { BundleProblem } from './bundle-problem.ts';
export { describeFamilies } from './describe-families.ts';
export type { FamilyDeclaration, FamilyPorts } from './describe-families.ts';
export type {
  BundleDescriptor,
  BundleState,
  CheckedRecord,
  CollectionDescriptor,
  NaturalKey,
  RecordProblem,
  ReferenceDescriptor,
} from './descriptor.ts';
export { diffBundles } from './diff-bundles.ts';
export type { BundleDiff, FieldChange, ResourceChange, UnmanagedRecord } from './diff-bundles.ts';
export type { BundleRecord } from './json-values.ts';
export { documentLimits } from './parsing/document-limits.ts';
export { parseBundle } from './parsing/parse-bundle.ts';
export type { ParsedBundle, ParseBundleOptions } from './parsing/parse-bundle.ts';
export { parseDocument } from './parsing/parse-document.ts';
export type { ParsedDocument, ParseDocumentOptions, ParseError, PositionFinder } from './parsing/parse-document.ts';
export type { TextPosition } from './parsing/text-position.ts';
export { planChanges } from './plan-changes.ts';
export type { PlanLevel } from './plan-changes.ts';
export { bundleLimits, joinProblems } from './problem-list.ts';
export type { BundleLimits } from './problem-list.ts';
export { isRedactionMask, redactionMask } from './redaction.ts';
export { resolveBundle } from './resolve-bundle.ts';
export type { ResolveBundleOptions, ResolvedBundle } from './resolve-bundle.ts';
export { validateBundle } from './validate-bundle.ts';
export type { BundleValidation, ValidateBundleOptions } from './validate-bundle.ts';
