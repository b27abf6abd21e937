export { eventually, EventuallyTimeoutError, type EventuallyOptions } from './eventually.ts';
export { FakeClock, type FakeClockOptions } from './fake-clock.ts';
export { freePort } from './free-port.ts';
export { startProcess, type ProcessExit, type RunningProcess, type StartProcessOptions } from './start-process.ts';
export { hasRedis, startRedis, type RedisServer, type RedisServerOptions } from './start-redis.ts';
export { hasSlapd, startSlapd, type DirectoryUser, type Slapd } from './start-slapd.ts';
export { startUpstream, type RecordedRequest, type Upstream, type UpstreamHandler } from './start-upstream.ts';
export {
  readComparableRows,
  readTenantRows,
  rowDifferences,
  type TenantRow,
  type TenantRows,
  type TenantRowSource,
} from './tenant-rows.ts';
export { temporaryFolder, type TemporaryFolder } from './temporary-folder.ts';
export { listenOn, type CountingListener } from './counting-listener.ts';
export { privateSpellings, type Spelling } from './private-spellings.ts';
