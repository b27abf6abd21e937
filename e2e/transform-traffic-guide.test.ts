import { describePluginGuide } from './support/plugin-guide.ts';

describePluginGuide('transform-traffic', () => []);
