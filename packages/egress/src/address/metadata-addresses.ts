/**
 * Where clouds tell their machines secrets. No configuration of a tenant leads there, and no list of an operator opens them.
 * Sources: the vendors' manuals.
 */
export const metadataAddresses: readonly string[] = [
  '169.254.169.254', // AWS, Azure, Google, Oracle, OpenStack, DigitalOcean, Hetzner and most others
  '169.254.170.2', // AWS: credentials of ECS tasks
  '169.254.170.23', // AWS: credentials of EKS pods
  '169.254.0.23', // Tencent
  '169.254.42.42', // Scaleway
  '168.63.129.16', // Azure: the host's agent, on a public address
  '100.100.100.200', // Alibaba
  '192.0.0.192', // Oracle, its first machines
  'fd00:ec2::254', // AWS
  'fd00:ec2::23', // AWS: credentials of EKS pods
  'fd20:ce::254', // Google
  'fd00:42::42', // Scaleway
  'fd00:a9fe:a9fe::1', // Akamai
  'fe80::a9fe:a9fe', // OpenStack
];
