import type { PluginServices } from '@portcullis/plugin-runtime';

/** What guards count. */
export interface GuardFigures {
  blocked(): void;
  masked(): void;
  /** A message could not be judged, or who judges gave nothing: it was refused, or went on where a config says so. */
  unjudged(): void;
}

/** Makes the counters of one instance. */
export function guardFigures({ metrics }: Pick<PluginServices, 'metrics'>): GuardFigures {
  const blocked = metrics.counter('messages_blocked', 'Requests and answers of models that a guard refused');
  const masked = metrics.counter('messages_masked', 'Requests and answers of models in which a guard masked something');
  const unjudged = metrics.counter('messages_unjudged', 'Requests and answers of models that could not be judged');
  return { blocked: () => blocked.add(1), masked: () => masked.add(1), unjudged: () => unjudged.add(1) };
}
