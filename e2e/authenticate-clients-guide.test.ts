import { freePort } from '@portcullis/testkit';
import { describePluginGuide } from './support/plugin-guide.ts';

describePluginGuide('authenticate-clients', async ({ folder }) => [
  ['8003', String(await freePort())],
  ['.portcullis/provider', folder.join('provider')],
]);
