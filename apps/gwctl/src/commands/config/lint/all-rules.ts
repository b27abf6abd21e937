import type { LintRule } from './rule.ts';
import { disabled } from './rules/disabled.ts';
import { expressionExpensive } from './rules/expression-expensive.ts';
import { expressionUnanchored } from './rules/expression-unanchored.ts';
import { namesDifferInCase } from './rules/names-differ-in-case.ts';
import { publicHttp } from './rules/public-http.ts';
import { routeCatchAll } from './rules/route-catch-all.ts';
import { routeShadowed } from './rules/route-shadowed.ts';
import { routeWithoutAuthentication } from './rules/route-without-authentication.ts';
import { routeWithoutService } from './rules/route-without-service.ts';
import { secretInPlainText } from './rules/secret-in-plain-text.ts';
import { serviceWithoutRoutes } from './rules/service-without-routes.ts';
import { tlsNotVerified } from './rules/tls-not-verified.ts';
import { upstreamWithoutServices } from './rules/upstream-without-services.ts';
import { upstreamWithoutTargets } from './rules/upstream-without-targets.ts';

/** Every rule, by its ID. */
export const allRules: readonly LintRule[] = [
  disabled,
  expressionExpensive,
  expressionUnanchored,
  namesDifferInCase,
  publicHttp,
  routeCatchAll,
  routeShadowed,
  routeWithoutAuthentication,
  routeWithoutService,
  secretInPlainText,
  serviceWithoutRoutes,
  tlsNotVerified,
  upstreamWithoutServices,
  upstreamWithoutTargets,
];
