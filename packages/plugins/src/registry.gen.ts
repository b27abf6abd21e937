// Generated from the folders beside this file by scripts/generate.ts. Do not edit.
import { aclControl } from './acl_control/index.ts';
import { advancedRateLimiter } from './advanced_rate_limiter/index.ts';
import { aiPromptTemplate } from './ai_prompt_template/index.ts';
import { aiProxy } from './ai_proxy/index.ts';
import { aiRagInjector } from './ai_rag_injector/index.ts';
import { aiResponseGuard } from './ai_response_guard/index.ts';
import { aiResponseTransformer } from './ai_response_transformer/index.ts';
import { apiKeyAuth } from './api_key_auth/index.ts';
import { apmVendor } from './apm_vendor/index.ts';
import { auditEventStream } from './audit_event_stream/index.ts';
import { basicAuth } from './basic_auth/index.ts';
import { bodyTransformer } from './body_transformer/index.ts';
import { botDetectionBasic } from './bot_detection_basic/index.ts';
import { canaryShadowTraffic } from './canary_shadow_traffic/index.ts';
import { cloudGuardrails } from './cloud_guardrails/index.ts';
import { correlationId } from './correlation_id/index.ts';
import { daemonMetrics } from './daemon_metrics/index.ts';
import { fileLog } from './file_log/index.ts';
import { forwardProxy } from './forward_proxy/index.ts';
import { hmacAuth } from './hmac_auth/index.ts';
import { httpLog } from './http_log/index.ts';
import { ipBlacklist } from './ip_blacklist/index.ts';
import { ipWhitelist } from './ip_whitelist/index.ts';
import { jsonTransform } from './json_transform/index.ts';
import { jwtAuth } from './jwt_auth/index.ts';
import { ldapAuth } from './ldap_auth/index.ts';
import { llmAsJudge } from './llm_as_judge/index.ts';
import { maskingTransform } from './masking_transform/index.ts';
import { mockResponse } from './mock_response/index.ts';
import { mtlsClientCertificateAuth } from './mtls_client_certificate_auth/index.ts';
import { oasValidation } from './oas_validation/index.ts';
import { oauth2 } from './oauth2/index.ts';
import { oidc } from './oidc/index.ts';
import { rateLimiter } from './rate_limiter/index.ts';
import { redirect } from './redirect/index.ts';
import { requestTermination } from './request_termination/index.ts';
import { requestTransformer } from './request_transformer/index.ts';
import { responseCache } from './response_cache/index.ts';
import { responseHeaderSetter } from './response_header_setter/index.ts';
import { responseRateLimiter } from './response_rate_limiter/index.ts';
import { responseTransformer } from './response_transformer/index.ts';
import { sampling } from './sampling/index.ts';
import { serviceProtection } from './service_protection/index.ts';
import { sessionCookieAuth } from './session_cookie_auth/index.ts';
import { streamLog } from './stream_log/index.ts';
import { tcpLog } from './tcp_log/index.ts';
import { templateTransform } from './template_transform/index.ts';
import { udpLog } from './udp_log/index.ts';
import { vaultAuthentication } from './vault_authentication/index.ts';
import { xmlTransform } from './xml_transform/index.ts';
import type { BuiltIn } from './shared/built-in.ts';

/** Every built-in plugin, by name. */
export const registry: readonly BuiltIn[] = [
  aclControl,
  advancedRateLimiter,
  aiPromptTemplate,
  aiProxy,
  aiRagInjector,
  aiResponseGuard,
  aiResponseTransformer,
  apiKeyAuth,
  apmVendor,
  auditEventStream,
  basicAuth,
  bodyTransformer,
  botDetectionBasic,
  canaryShadowTraffic,
  cloudGuardrails,
  correlationId,
  daemonMetrics,
  fileLog,
  forwardProxy,
  hmacAuth,
  httpLog,
  ipBlacklist,
  ipWhitelist,
  jsonTransform,
  jwtAuth,
  ldapAuth,
  llmAsJudge,
  maskingTransform,
  mockResponse,
  mtlsClientCertificateAuth,
  oasValidation,
  oauth2,
  oidc,
  rateLimiter,
  redirect,
  requestTermination,
  requestTransformer,
  responseCache,
  responseHeaderSetter,
  responseRateLimiter,
  responseTransformer,
  sampling,
  serviceProtection,
  sessionCookieAuth,
  streamLog,
  tcpLog,
  templateTransform,
  udpLog,
  vaultAuthentication,
  xmlTransform,
];
