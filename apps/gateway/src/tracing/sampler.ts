/** Samplers by the names that OpenTelemetry's environment variable gives them. */
export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** See {@link samplerNames}. */
export type SamplerName = (typeof samplerNames)[number];

/** Decides whether a trace is recorded. @param parent what the caller decided; `undefined` where there is none */
export type Sampler = (traceId: string, parent: boolean | undefined) => boolean;

/** The part of a trace ID that is random in all of them, as hexadecimal digits from the right, and its values. */
const RANDOM_DIGITS = 13;
const RANDOM_VALUES = 16 ** RANDOM_DIGITS;

/**
 * A sampler. A ratio is decided by the trace ID alone, so that all who sample by the same ratio record the same traces.
 * @param ratio 0 to 1, for `traceidratio`
 */
export function samplerOf(name: SamplerName, ratio: number): Sampler {
  const root = name.replace('parentbased_', '');
  const threshold = (1 - ratio) * RANDOM_VALUES;
  const decide: (traceId: string) => boolean =
    root === 'traceidratio'
      ? (traceId) => Number.parseInt(traceId.slice(-RANDOM_DIGITS), 16) >= threshold
      : () => root === 'always_on';
  if (root === name) return decide;
  return (traceId, parent) => parent ?? decide(traceId);
}
