/**
 * {@code wfmo}: {@code WSAEventSelect} and {@code WaitForMultipleObjects}, the concurrent handle set of Windows that
 * the Leader/Followers paper names. It takes 63 handles: the call waits for 64 objects, of which one is the wake-up.
 *
 * <p>Each member has an event of the system, which is set when something happens to its socket and reset by the one
 * waiter that it ends the wait of. All events exist from the beginning and all waiters wait for all of them, so nobody
 * has to be told of a change of the set.
 *
 * <p>An event says that something has happened, not what is the case. So the socket itself is looked at twice: when it
 * is armed, for what has happened before, and when its event was set, because that may be about what somebody has dealt
 * with meanwhile.
 *
 * <p>The system knows one event for a socket: a handle can be in one such set at a time.
 */
package dev.sluice.mechanism.wfmo;
