export { otelEvents, type OtelEventsOptions } from './otel/otel-events.ts';
