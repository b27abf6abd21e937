import { Writable } from 'node:stream';
import { createLog } from '../logging.ts';
import { startTestService, type TestService } from '../testing/test-service.test-support.ts';
import { type Description, readDescription } from './described-operations.test-support.ts';
import { type HttpClient, openHttpClient, type Reply, type SentRequest } from './http-client.test-support.ts';

/** The real service, with what it logs, a clock that can be set back, and an eye on every answer. */
export interface WatchedService {
  readonly service: TestService;
  readonly client: HttpClient;
  readonly description: Description;
  /** The log's lines so far. */
  readonly logLines: readonly string[];
  /** What was wrong with answers whatever they answer: 5xx, words from the inside. Forgets them. */
  takeScandals(): readonly string[];
  /** Moves the service's clock away from the real one. */
  setClockOffset(offsetMs: number): void;
  stop(): Promise<void>;
}

/** Words that only come from stacks, drivers and databases. Source: security rules, Errors. */
const insideWords = [
  /\bat \/|\bat file:|\bnode:internal/,
  /SQLITE_/,
  /relation "/,
  /\bsyntax error at/,
  /node_modules/,
];

/** Starts it. @param onReply sees every answer too */
export async function startWatchedService(
  databaseUrl: string,
  onReply: (reply: Reply, request: SentRequest) => void = () => undefined,
): Promise<WatchedService> {
  let offsetMs = 0;
  const logLines: string[] = [];
  const scandals: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logLines.push(chunk.toString());
      done();
    },
  });
  const service = await startTestService(databaseUrl, {
    log: createLog('info', destination),
    nowMs: () => Date.now() + offsetMs,
    // Answers are held against the description by the tests of the engine; here they are bad ones by the thousand.
    onAnswer: () => undefined,
  });
  const client = openHttpClient(service.url, (reply, request) => {
    const isPage = reply.headers['content-type']?.startsWith('text/') === true;
    const word = isPage ? undefined : insideWords.find((candidate) => candidate.test(reply.text));
    if (reply.status >= 500 || word) scandals.push(`${said(request)} → ${reply.status} ${reply.text.slice(0, 300)}`);
    onReply(reply, request);
  });
  const described = await client.send({ method: 'GET', path: '/openapi.json' });
  return {
    service,
    client,
    description: readDescription(described.json),
    logLines,
    takeScandals: () => [...new Set(scandals.splice(0))],
    setClockOffset(next) {
      offsetMs = next;
    },
    async stop() {
      client.close();
      await service.stop();
    },
  };
}

/** A request in a few words, for messages. */
export function said(request: SentRequest): string {
  const body = Buffer.isBuffer(request.body) ? request.body.toString('latin1') : JSON.stringify(request.body);
  return `${request.method} ${request.path.slice(0, 200)} ${(body ?? '').slice(0, 300)}`;
}
