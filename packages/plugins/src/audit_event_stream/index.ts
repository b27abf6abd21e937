import type { PluginHooks } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { jsonEntry } from '../shared/sinks/emitter-hooks.ts';
import { httpEmitter } from '../shared/sinks/http-emitter.ts';
import { jsonBody } from '../shared/sinks/json-bodies.ts';
import { eventJson, formOf } from './audit-event.ts';
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
  readsReferences: true,
  setup(settings, services): PluginHooks {
    const { content_type: contentType } = settings;
    const isCloud = isCloudEvents(contentType);
    const words = {
      eventType: settings.event_type,
      action: settings.action,
      errorAction: settings.error_action,
    };
    const json = isCloud ? cloudEventJson : eventJson;
    // An ID of its own for each event would take as long as the event.
    const setUpId = services.newId();
    let emitted = 0;
    return httpEmitter(
      settings,
      {
        url: settings.audit_endpoint ?? settings.endpoint ?? '',
        encode: (record) => jsonEntry(json(formOf(record, words), record, `${setUpId}-${(emitted += 1)}`)),
        body: (events) => (isCloud ? cloudEventsBody(events) : { text: jsonBody(events, contentType), contentType }),
      },
      services,
    );
  },
});
