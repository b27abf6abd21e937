import { freePort } from '@portcullis/testkit';
import { describePluginGuide } from './support/plugin-guide.ts';

describePluginGuide('ai-caches-and-guards', async (stack) => [
  ['PROVIDER_PORT=8022', `PROVIDER_PORT=${await freePort()}`],
  ['repeating-provider.mjs', stack.folder.join('repeating-provider.mjs')],
]);
