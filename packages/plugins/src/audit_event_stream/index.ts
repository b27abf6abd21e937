import type { PluginHooks } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { recordSettings } from '../shared/records/record-fields.ts';
import { emitterHooks, jsonEntry } from '../shared/sinks/emitter-hooks.ts';
import { httpSender } from '../shared/sinks/http-sender.ts';
import { jsonBody } from '../shared/sinks/json-bodies.ts';
import { HTTP_LIMITS } from '../shared/sinks/sink-limits.ts';
import { eventFields, eventJson } from './audit-event.ts';
import { cloudEventJson, cloudEventsBody, isCloudEvents } from './cloud-event.ts';
import { config } from './config.ts';

/** Tells an audit trail of every request, as events. */
export const auditEventStream: BuiltIn = builtIn({
  name: 'audit_event_stream',
  version: '1.0.0',
  category: 'observability',
  triggers: ['both', 'before_request', 'after_response', 'on_error'],
  description: 'Sends an audit event for each request to an HTTP endpoint: who did what, and whether it worked',
  config,
  setup(settings, services): PluginHooks {
    const { content_type: contentType, method, headers = {}, event_type: eventType, action } = settings;
    const timeoutMs = settings.timeout * 1000;
    const url = settings.audit_endpoint ?? settings.endpoint ?? '';
    const words = { eventType, action, errorAction: settings.error_action };
    const isCloud = isCloudEvents(contentType);
    // An ID of its own for each event would take as long as the event.
    const setUpId = services.newId();
    let emitted = 0;
    const body = (events: readonly string[]) =>
      isCloud ? cloudEventsBody(events) : { text: jsonBody(events, contentType), contentType };
    return emitterHooks<string>(
      {
        settings: recordSettings(settings),
        failsOnError: settings.fail_on_error,
        encode(record) {
          const fields = eventFields(record, words, `${setUpId}-${(emitted += 1)}`);
          return jsonEntry(isCloud ? cloudEventJson(fields, record) : eventJson(fields, record));
        },
        sender: httpSender({ url, method, headers, timeoutMs, body }, services),
        timeoutMs,
        limits: HTTP_LIMITS,
      },
      services,
    );
  },
});
