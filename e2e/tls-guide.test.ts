import { describePluginGuide } from './support/plugin-guide.ts';

describePluginGuide('tls-and-protocols', ({ gatewayTlsPort }) => [['TLS_PORT=8443', `TLS_PORT=${gatewayTlsPort}`]]);
