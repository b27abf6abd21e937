import type { Exchange, HeaderEdit, PluginLog, PluginResponse } from '@portcullis/plugin-runtime';
import { problemAnswer } from '../problem.ts';
import { warningTimes } from '../warning-times.ts';
import { fixedLimitHeaders, limitHeaders, toPairs } from './limit-headers.ts';
import type { LimitWindow } from './limit-window.ts';
import type { LimitStanding } from './request-limits.ts';

/** Settings of {@link limitAnswers}. */
export interface LimitAnswersOptions {
  /** Whether answers leave the standing out. */
  readonly isQuiet: boolean;
  /** Status of a refusal. Default 429. */
  readonly status?: number;
  /** What a refusal says. */
  readonly message?: string;
}

/** What limits answer. Lists of standings have one for each window, in the windows' order. */
export interface LimitAnswers {
  /** The refusal with its `Retry-After`; `undefined` when no limit refuses. */
  refusal(exchange: Exchange, standings: readonly LimitStanding[]): PluginResponse | undefined;
  /** The headers of an answer that passes; `undefined` when it is to have none. */
  headers(standings: readonly LimitStanding[]): readonly HeaderEdit[] | undefined;
}

/** Puts together once what all answers of an instance have in common. Source: wire, Rate-limit headers. */
export function limitAnswers(windows: readonly LimitWindow[], options: LimitAnswersOptions): LimitAnswers {
  const { isQuiet, status = 429, message = 'the rate limit is exceeded' } = options;
  const fixed = fixedLimitHeaders(windows);
  const refuse = problemAnswer({ status, code: 'rate_limited', title: 'Too many requests', detail: message });
  return {
    refusal(exchange, standings) {
      const waitSeconds = waitOf(standings);
      if (waitSeconds === 0) return undefined;
      const shown = isQuiet ? [] : toPairs(limitHeaders(fixed, standings));
      return refuse(exchange, ['Retry-After', String(waitSeconds), ...shown]);
    },
    headers: (standings) => (isQuiet ? undefined : limitHeaders(fixed, standings)),
  };
}

/** Seconds until all limits that refuse have room; 0 when none refuses. */
export function waitOf(standings: readonly LimitStanding[]): number {
  let wait = 0;
  for (const one of standings) if (one.isExceeded && one.resetSeconds > wait) wait = one.resetSeconds;
  return wait;
}

/** What is to be called when clients are forgotten early: it warns now and then. */
export function crowdedWarning(plugin: string, log: PluginLog, nowMs: () => number): () => void {
  const isTime = warningTimes(nowMs);
  return () => {
    if (!isTime()) return;
    log.warn(`${plugin} counts too many clients: the least active are forgotten before their windows end`);
  };
}
