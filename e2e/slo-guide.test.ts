import { describePluginGuide } from './support/plugin-guide.ts';

describePluginGuide('service-level-objectives', () => []);
