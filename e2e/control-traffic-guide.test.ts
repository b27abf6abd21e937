import { describePluginGuide } from './support/plugin-guide.ts';

describePluginGuide('control-traffic', () => []);
