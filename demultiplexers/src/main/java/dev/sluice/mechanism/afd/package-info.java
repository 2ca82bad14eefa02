/**
 * {@code afd} and {@code afd-one-shot}: readiness by poll requests to the driver of sockets (the ancillary function
 * driver), whose completions come to a completion port. It is what {@code select} and {@code WSAPoll} of Windows are
 * made of, with a request for each socket instead of one for all: no limit of their number, and a wait costs as much
 * as there is ready.
 *
 * <p>The request is not documented by its maker, but has been the same since Windows NT, and others rest on it too. It
 * completes when the socket is, or already was, ready. So {@code afd} (level) makes the request of a handle that was
 * reported anew in the next wait, and {@code afd-one-shot}, a concurrent set, when the handle is rearmed.
 *
 * <p>A request that is no longer right is cancelled and made anew when its completion has come, because the system
 * writes to its memory until then. One that asks for more than is wanted stays.
 */
package dev.sluice.mechanism.afd;
