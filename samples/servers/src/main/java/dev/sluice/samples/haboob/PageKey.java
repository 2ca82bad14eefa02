package dev.sluice.samples.haboob;

/**
 * The key of a page: requests with the same key get the same octets, apart from conditions and ranges.
 *
 * @param path       decoded and normalised
 * @param preference which codings the client accepts, and in which order; clients cannot make up many of these
 * @param site       the site that was current when the request began: another configuration may have another root
 */
record PageKey(String path, int preference, Object site) {
}
