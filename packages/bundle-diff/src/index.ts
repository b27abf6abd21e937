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
export type { BundleDiff, DiffBundlesOptions, FieldChange, ResourceChange, UnmanagedRecord } from './diff-bundles.ts';
export type { BundleRecord } from './json-values.ts';
export type { LiveLookUp, OnLookUp } from './live-look-up.ts';
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
export { harmlessText } from './render/harmless-text.ts';
export type { Painter, TextStyle } from './render/painter.ts';
export { redactBundle } from './render/redact-bundle.ts';
export { renderDiff } from './render/render-diff.ts';
export type { RenderDiffOptions } from './render/render-diff.ts';
export { summaryBytesMax } from './render/assemble-blocks.ts';
export { renderDiffMarkdown, renderResultMarkdown } from './render/render-markdown.ts';
export type { MarkdownOptions } from './render/render-markdown.ts';
export { countProblems, renderProblems } from './render/render-problems.ts';
export type { RenderProblemsOptions } from './render/render-problems.ts';
export { renderResult } from './render/render-result.ts';
export type { RenderResultOptions } from './render/render-result.ts';
export type {
  DiffSource,
  RenderedChange,
  RenderedDiff,
  RenderedOutcome,
  RenderedResult,
} from './render/rendered-answers.ts';
export { withStableIds } from './render/with-stable-ids.ts';
export { resolveBundle } from './resolve-bundle.ts';
export type { ResolveBundleOptions, ResolvedBundle } from './resolve-bundle.ts';
export { checkBundle, validateAndResolve } from './validate-and-resolve.ts';
export type { CheckedBundle, ValidateAndResolveOptions, ValidatedAndResolved } from './validate-and-resolve.ts';
export { validateBundle } from './validate-bundle.ts';
export type { BundleValidation, ValidateBundleOptions } from './validate-bundle.ts';
