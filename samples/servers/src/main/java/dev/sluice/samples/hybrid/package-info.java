/**
 * Two servers that are each other's clients (Leader/Followers paper, 10.4, hybrid client/servers): to answer a call, a
 * node calls its peer, which to answer calls back, and so on. A thread that waits for its peer's response dispatches
 * the calls that arrive meanwhile; threads that only waited would all end up waiting for each other, with one thread on
 * each side at the first callback already.
 *
 * <p>The computation, Fibonacci numbers, only serves to nest calls: N of them for number N. A line {@code ID N} is
 * answered by {@code ID VALUE} or {@code ID error WHY}, to peers and other clients alike.
 */
package dev.sluice.samples.hybrid;
