/**
 * {@code afd} and {@code afd-one-shot}: readiness by poll requests to the socket driver (the ancillary function
 * driver), whose completions arrive at a completion port. Windows' {@code select} and {@code WSAPoll} are made of the
 * same requests, but here each socket has its own instead of one for all: their number is not limited, and the cost of
 * a wait grows only with what is ready.
 *
 * <p>Microsoft does not document the request, but it has been the same since Windows NT, and other libraries rely on it
 * too. It completes when the socket becomes ready, or at once if it already is. So after reporting a handle,
 * {@code afd} (level) issues the request again in the next wait, and {@code afd-one-shot}, a concurrent set, when the
 * handle is rearmed.
 *
 * <p>A request for other events than those wanted is cancelled, and issued again after its completion, because the
 * system writes to its memory until then. A request that includes all wanted events stays.
 */
package dev.sluice.demultiplexer.afd;
