import type { Exchange, HeaderEdit, LogDetails, PluginHooks, PluginResponse } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { problemAnswer, type ProblemAnswer } from '../shared/problem.ts';
import { ProcessSpaces } from '../shared/process-spaces.ts';
import { config, type Config } from './config.ts';
import { isServiceFailure, protectionRules } from './protection-rules.ts';
import type { Admission, Phase, ServiceState } from './service-state.ts';
import { compileStateName, ServiceStates } from './service-states.ts';

const spaces = new ProcessSpaces<ServiceStates>();

/** Keeps requests away from a service that has enough of them, or fails. */
export const serviceProtection: BuiltIn = builtIn({
  name: 'service_protection',
  version: '1.0.0',
  category: 'request_protection',
  triggers: ['both'],
  description: 'Refuses requests beyond what a service may have at once, and while it fails',
  config,
  setup(settings, { clock, instance, log }): PluginHooks {
    const windowMs = settings.failure_window_seconds * 1000;
    const nowMs = (): number => clock.monotonicMs();
    const place = settings.namespace === undefined ? ['instance', instance.id] : ['namespace', settings.namespace];
    const held = spaces.hold(clock, [instance.tenantId, ...place, windowMs], () => new ServiceStates(windowMs, nowMs));
    const rules = protectionRules(settings);
    const nameOf = compileStateName(settings.service_key);
    const failureStatuses = new Set(settings.failure_status_codes);
    const answerFull = fullAnswer(settings);
    const answerOpen = openAnswer(settings);
    const stateKey = `service_protection:${instance.id}`;
    const headersOf = settings.include_headers ? headerEdits(settings.max_concurrent_requests) : undefined;
    const settle = (exchange: Exchange, isFailure: boolean): void => {
      const admission = admissionOf(exchange, stateKey);
      if (admission === undefined) return;
      const before = admission.phase;
      admission.settle(isFailure);
      if (admission.phase !== before) log.warn('the circuit of a service changed', changeOf(exchange, admission.phase));
    };
    return {
      request(exchange) {
        const state = held.space.of(nameOf(exchange));
        const entered = state.enter(rules);
        if ('reason' in entered) {
          const headers = ['Retry-After', String(Math.ceil(entered.waitMs / 1000))];
          for (const { name, value = '' } of headersOf?.(state) ?? []) headers.push(name, value);
          return entered.reason === 'open' ? answerOpen(exchange, headers) : answerFull(exchange, headers);
        }
        exchange.state.set(stateKey, entered);
        exchange.onEnd(() => entered.release());
        return headersOf === undefined ? undefined : { responseHeaders: headersOf(state) };
      },
      response(exchange) {
        const { source, status } = exchange.response;
        if (source === 'upstream') settle(exchange, failureStatuses.has(status));
      },
      error(exchange) {
        if (isServiceFailure(exchange.failure.code, exchange.request.hasBody)) settle(exchange, true);
      },
      dispose: held.release,
    };
  },
});

/** Whose circuit changed, and with which request. */
function changeOf({ facts }: Exchange, circuit: Phase): LogDetails {
  const { service, route, requestId } = facts;
  return { circuit, service: service?.name ?? '', route: route?.name ?? '', request_id: requestId };
}

/** What the request stage left, when it let the request through. */
function admissionOf({ state }: Exchange, key: string): Admission | undefined {
  // Only this instance writes under its key.
  return state.get(key) as Admission | undefined;
}

function fullAnswer({ status_code: status, message: detail }: Config): ProblemAnswer {
  return problemAnswer({ status, code: 'too_many_concurrent_requests', title: 'Too many requests at once', detail });
}

/** A problem, unless the config says what to answer. */
function openAnswer({ open_circuit_status: status, open_circuit_body: body }: Config): ProblemAnswer {
  if (body === undefined) {
    const detail = 'the service fails; requests are kept from it for a while';
    return problemAnswer({ status, code: 'circuit_open', title: 'Service unavailable', detail });
  }
  const type = isJson(body) ? 'application/json' : 'text/plain; charset=utf-8';
  return (_exchange, more = []): PluginResponse => ({ status, headers: ['content-type', type, ...more], body });
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** Says the state as the request found or left it. */
function headerEdits(concurrencyMax: number | undefined): (state: ServiceState) => readonly HeaderEdit[] {
  const limit: readonly HeaderEdit[] =
    concurrencyMax === undefined
      ? []
      : [{ op: 'set', name: 'X-Service-Protection-Limit', value: String(concurrencyMax) }];
  return ({ phase, running }) => [
    { op: 'set', name: 'X-Service-Protection-State', value: phase },
    { op: 'set', name: 'X-Service-Protection-Concurrency', value: String(running) },
    ...limit,
  ];
}
