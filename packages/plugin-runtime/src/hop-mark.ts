/**
 * What requests carry on their way through gateways, so that one which comes back is known again. Hosts read it as it arrives, before plugins
 * may remove it. Source: RFC 8586.
 */
export const HOP_FIELD = 'CDN-Loop';

/** What all gateways of this kind call themselves in {@link HOP_FIELD}: a loop over two of them is seen, too. */
export const HOP_NAME = 'portcullis';

/** The entry of a request that was sent beside another one, see `RequestView.isCopy`. */
export const COPY_HOP: string = `${HOP_NAME};copy=1`;
