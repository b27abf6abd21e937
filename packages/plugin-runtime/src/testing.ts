export { HandClock } from './harness/hand-clock.ts';
export { testPlugin, type PluginTest, type PluginTestOptions } from './harness/test-plugin.ts';
export type { LogLine, RuntimeEvent } from './harness/captured.ts';
export type { TestAnswer, TestRequest, TestResponse, TestUpstream } from './harness/test-exchange.ts';
