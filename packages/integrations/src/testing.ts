export { type FakeAlerting, fakeAlerting } from './testing/fake-alerting.ts';
export { type FakeCloudAccount, type FakeCloudApi, fakeCloud } from './testing/fake-cloud.ts';
export type { FakeCredentials } from './testing/fake-credentials.ts';
export { type FakeLogAnalytics, fakeLogAnalytics } from './testing/fake-log-analytics.ts';
export { type FakeRegisteredApi, type FakeRegistry, fakeRegistry } from './testing/fake-registry.ts';
export {
  type FakeIncident,
  type FakeServiceManagement,
  fakeServiceManagement,
} from './testing/fake-service-management.ts';
export {
  type FakeAnswer,
  type FakeBehaviour,
  type FakeRequest,
  type FakeSystem,
  type FakeSystemOptions,
  type Fault,
  startFakeSystem,
} from './testing/fake-system.ts';
export { cut, endless, failing, html, redirecting, saying, silent, stalling } from './testing/faults.ts';
