/**
 * A plugin that takes processor time, as those of operators do: so the gateway is what a run overloads, and not the one thread that
 * makes the load. Loaded by the gateway that is measured.
 */
import { definePlugin, type Plugin } from '@portcullis/plugin-runtime';
import * as v from 'valibot';

export const plugin: Plugin = definePlugin({
  name: 'bench_busy',
  version: '1.0.0',
  category: 'enforcement',
  triggers: ['before_request'],
  config: v.object({ work_us: v.number() }),
  setup: ({ work_us: workUs }) => ({
    request: () => {
      const endMs = performance.now() + workUs / 1000;
      while (performance.now() < endMs);
      return undefined;
    },
  }),
});
