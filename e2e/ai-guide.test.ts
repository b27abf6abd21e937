import { freePort } from '@portcullis/testkit';
import { describePluginGuide } from './support/plugin-guide.ts';

describePluginGuide('ai-gateway', async (stack) => [
  ['PROVIDER_PORT=8020', `PROVIDER_PORT=${await freePort()}`],
  ['provider.mjs', stack.folder.join('provider.mjs')],
]);
