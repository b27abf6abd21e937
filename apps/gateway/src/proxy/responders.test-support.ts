import {
  definePlugin,
  type BodyStream,
  type BodyStreamSink,
  type ObservationEdits,
  type Plugin,
  type PluginHooks,
  type ResponderAnswer,
  type ResponderCall,
} from '@portcullis/plugin-runtime';
import * as v from 'valibot';
import { startTestGateway, type TestGateway } from '../testing/test-gateway.test-support.ts';

/** A body that a test feeds by hand, and which remembers what it was asked. */
export class HandFedStream implements BodyStream {
  sink: BodyStreamSink | undefined;
  resumes = 0;
  cancels = 0;
  readonly #onCancel: () => void;

  constructor(onCancel: () => void = () => undefined) {
    this.#onCancel = onCancel;
  }

  start(sink: BodyStreamSink): void {
    this.sink = sink;
  }

  resume(): void {
    this.resumes += 1;
  }

  cancel(): void {
    this.cancels += 1;
    this.#onCancel();
  }

  write(text: string): boolean | undefined {
    return this.sink?.write(Buffer.from(text));
  }
}

/** An answer of status 200 by the test's plugin. */
export function answerOf(body: NonNullable<ResponderAnswer['body']>, ...headers: string[]): ResponderAnswer {
  return { status: 200, headers, body, source: 'plugin' };
}

/** How the plugin answers. */
export type Respond = (call: ResponderCall) => ResponderAnswer | Promise<ResponderAnswer>;

/** A plugin that answers everything itself, and whose other hooks a test gives. Its name comes before those of others. */
export function answering(respond: Respond, hooks: PluginHooks = {}): Plugin {
  return definePlugin({
    name: 'a_test_answerer',
    version: '1.0.0',
    category: 'ai',
    triggers: ['all'],
    config: v.object({}),
    setup: () => {
      const edits = { responder: { respond } };
      return { request: () => edits, ...hooks };
    },
  });
}

/** A gateway with one route, and no service, that the plugin answers. */
export async function startAnswering(
  respond: Respond,
  hooks: PluginHooks = {},
  more: { readonly route?: object; readonly env?: Readonly<Record<string, string>>; readonly others?: Plugin[] } = {},
): Promise<TestGateway> {
  const others = more.others ?? [];
  const resources = {
    routes: [{ id: 'route-1', name: 'all', paths: ['/'], ...more.route }],
    plugins: ['a_test_answerer', ...others.map(({ name }) => name)].map((name) => ({
      id: name,
      name,
      scope: 'tenant',
      trigger: 'all',
      config: {},
    })),
  };
  const plugins = [answering(respond, hooks), ...others];
  return await startTestGateway(resources, more.env ?? {}, {}, { plugins });
}

/** The raw records that a gateway has reported. */
export function recordsOf(gateway: TestGateway): readonly Record<string, unknown>[] {
  return gateway.controlPlane.batches.flatMap(({ records }) => records);
}

/** What a test says of a request. */
export function saying(fields: Record<string, unknown>): ObservationEdits {
  return { ai: fields };
}
