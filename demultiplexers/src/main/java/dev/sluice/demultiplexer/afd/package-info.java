/**
 * {@code afd} and {@code afd-one-shot}: readiness by poll requests to the socket driver (the ancillary function
 * driver), whose completions arrive at a completion port. Windows' {@code select} and {@code WSAPoll} use the same
 * requests, but with one request for all sockets. Here each socket has its own: the number of sockets is not limited,
 * and the cost of a wait grows only with the number of ready handles.
 *
 * <p>Microsoft does not document the request, but it has been the same since Windows NT, and other libraries rely on it
 * too. It completes when the socket becomes ready, or immediately if it already is. So after reporting a handle,
 * {@code afd} (level) issues the request again in the next wait, and {@code afd-one-shot}, a concurrent set, when the
 * handle is rearmed.
 *
 * <p>A request that lacks a wanted event is cancelled, and issued again after it has completed, because the system
 * writes to its memory until then. A request that includes all wanted events is not changed.
 */
@NullMarked
package dev.sluice.demultiplexer.afd;

import org.jspecify.annotations.NullMarked;
