import { describeGuide } from './support/plugin-guide.ts';

describeGuide('client-libraries', () => []);
