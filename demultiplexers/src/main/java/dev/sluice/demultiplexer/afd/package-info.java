/**
 * {@code afd} and {@code afd-one-shot}: readiness by poll requests to the socket driver (the ancillary function
 * driver), whose completions arrive at a completion port. Windows' {@code select} and {@code WSAPoll} are made of the
 * same requests, but here each socket has its own instead of one for all: their number is not limited, and the cost of
 * a wait grows only with what is ready.
 *
 * <p>Microsoft does not document the request, but it has been the same since Windows NT, and other libraries rely on it
 * too. It completes when the socket becomes ready, or at once if it already is. So after reporting a handle,
 * {@code afd} (level) makes its request anew in the next wait, and {@code afd-one-shot}, a concurrent set, when the
 * handle is rearmed.
 *
 * <p>A request that is no longer right is cancelled, and made anew once its completion has come, because the system
 * writes to its memory until then. A request that asks for more than is wanted stays.
 */
package dev.sluice.demultiplexer.afd;
