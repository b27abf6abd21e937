export { TestDnsServer, type Zone } from './dns-server.ts';
export { eventually, EventuallyTimeoutError, type EventuallyOptions } from './eventually.ts';
export { FakeClock, type FakeClockOptions } from './fake-clock.ts';
export { freePort } from './free-port.ts';
export { startProcess, type ProcessExit, type RunningProcess, type StartProcessOptions } from './start-process.ts';
export { hasKafka, startKafka, type KafkaMessage, type KafkaServer } from './start-kafka.ts';
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
export { type AiProviderPlan, gate, type Gate, type StreamPart } from './ai-provider/ai-provider-plan.ts';
export { messageAnswer, messageFrames, messageStream, overloadedFrame } from './ai-provider/anthropic-answers.ts';
export {
  chatAnswer,
  chatFrames,
  chatStream,
  frame,
  openAiError,
  type ChatSaying,
} from './ai-provider/openai-answers.ts';
export {
  startAiProvider,
  type AiProvider,
  type AiProviderOptions,
  type AiProviderRequest,
} from './ai-provider/start-ai-provider.ts';
