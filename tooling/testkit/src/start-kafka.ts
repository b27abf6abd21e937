import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { startProcess, type RunningProcess } from './start-process.ts';

/** One message of a topic, as a consumer got it. */
export interface KafkaMessage {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** `null` for a message without a key. */
  readonly key: string | null;
  /** Name and value by turns; empty when it has none. */
  readonly headers: readonly string[];
  readonly payload: string;
}

/** Running brokers of librdkafka's mock cluster, which speaks Kafka's protocol and keeps everything in memory. Disposing ends them. */
export interface KafkaServer extends AsyncDisposable {
  /** `127.0.0.1:port` of each broker, which is also what they advertise. */
  readonly brokers: readonly string[];
  /** Everything that a topic holds. A topic that nobody wrote to is made by asking, with four partitions. */
  messages(topic: string): Promise<readonly KafkaMessage[]>;
  /** How often a line of the brokers' log matches, for instance `/New connection/`, `/Received ProduceRequest/`. */
  readonly logged: (pattern: RegExp) => number;
  readonly process: RunningProcess;
  /** They answer nothing any more, and keep their connections, until {@link KafkaServer.thaw}. */
  freeze(): void;
  thaw(): void;
}

const KCAT = ['/usr/bin/kcat', '/usr/local/bin/kcat', '/usr/bin/kafkacat'].find((path) => existsSync(path));

/** Whether brokers can be started here. Tests that need them are skipped by name where they cannot. */
export const hasKafka: boolean = KCAT !== undefined;

/**
 * Starts brokers on free ports of 127.0.0.1. kcat brings them: it runs a cluster for a consumer of its own that stays.
 * @param count how many brokers the cluster has, default 1
 * @throws Error where kcat is not installed, or with everything it printed when it does not start
 */
export async function startKafka(count = 1): Promise<KafkaServer> {
  if (KCAT === undefined) throw new Error('kcat is not installed');
  const process = await startProcess({
    command: KCAT,
    args: ['-C', '-b', '127.0.0.1:1', '-t', 'of-the-test-kit', '-X', `test.mock.num.brokers=${count}`, '-d', 'mock'],
    readyWhen: ({ stderr }) => BOOTSTRAP.test(stderr()),
  });
  const [, bootstrap = ''] = BOOTSTRAP.exec(process.stderr()) ?? [];
  return {
    brokers: bootstrap.split(','),
    messages: (topic) => messagesOf(KCAT, bootstrap, topic),
    logged: (pattern) =>
      process
        .stderr()
        .split('\n')
        .filter((line) => pattern.test(line)).length,
    process,
    freeze: () => void globalThis.process.kill(process.pid, 'SIGSTOP'),
    thaw: () => void globalThis.process.kill(process.pid, 'SIGCONT'),
    // A frozen process takes no other signal.
    [Symbol.asyncDispose]: async () => void (await process.kill('SIGKILL')),
  };
}

const BOOTSTRAP = /bootstrap\.servers=([0-9.:,]+)/;

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
const READ_TIMEOUT_MS = 60_000;

async function messagesOf(kcat: string, bootstrap: string, topic: string): Promise<readonly KafkaMessage[]> {
  const args = ['-C', '-b', bootstrap, '-t', topic, '-o', 'beginning', '-e', '-q', '-J'];
  const { stdout } = await run(kcat, args, { maxBuffer: OUTPUT_BYTES_MAX, timeout: READ_TIMEOUT_MS });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const message = JSON.parse(line) as Omit<KafkaMessage, 'headers'> & { headers?: string[] };
      return { ...message, headers: message.headers ?? [] };
    });
}

const run = promisify(execFile);
