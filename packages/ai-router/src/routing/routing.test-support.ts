import { readModelRoute } from './read-route.ts';
import type { ModelRoute, Target } from './route.ts';
import type { TargetConfig } from './route-schema.ts';

/** A route of targets `p/a`, `p/b`, … unless they say otherwise. */
export function routeOf(
  strategy: string,
  targets: readonly Partial<TargetConfig>[],
  fields: Readonly<Record<string, unknown>> = {},
): ModelRoute {
  const named = targets.map((target, index) => ({ provider: 'p', model: nameOf(index), ...target }));
  return readModelRoute('chat', { strategy, targets: named, ...fields });
}

/** The models of targets, in their order. */
export function modelsOf(targets: readonly Target[]): string {
  return targets.map(({ model }) => model).join(' ');
}

/** A request that says nothing. */
export const silent = { stream: false, promptText: (): string => '' };

/** A clock that moves when told. */
export interface HandClock {
  ms: number;
  monotonicMs(): number;
  nowMs(): number;
}

export function handClock(startMs = 0): HandClock {
  const clock = { ms: startMs, monotonicMs: () => clock.ms, nowMs: () => clock.ms };
  return clock;
}

function nameOf(index: number): string {
  return index < 26 ? String.fromCodePoint(97 + index) : `m${index}`;
}
