import { freePort } from '@portcullis/testkit';
import { describePluginGuide } from './support/plugin-guide.ts';

describePluginGuide('logs-metrics-and-traces', async (stack) => [
  ['SINK_PORT=8021', `SINK_PORT=${await freePort()}`],
  ['sink.mjs', stack.folder.join('sink.mjs')],
]);
