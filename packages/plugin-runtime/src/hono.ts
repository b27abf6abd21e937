export {
  createHonoMiddleware,
  type HonoMiddlewareOptions,
  type RuntimeVariables,
} from './hono/create-hono-middleware.ts';
export type { HostControls } from './fetch/host-options.ts';
