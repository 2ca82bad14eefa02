/**
 * {@code wfmo}: {@code WSAEventSelect} and {@code WaitForMultipleObjects}, the concurrent handle set of Windows that
 * the Leader/Followers paper names. Its maximum is 63 handles: the call waits for 64 objects, one of which is the
 * wake-up.
 *
 * <p>Each member has an event object, which a network event of its socket sets and the one waiter whose wait it ends
 * resets. All event objects are created by the constructor and all waiters wait for all of them, so no waiter needs to
 * be notified of a change to the set.
 *
 * <p>An event object reports that something has happened, not the current state. So the socket itself is checked twice:
 * when it is armed, because it may already be ready, and when its event has been set, because it may no longer be
 * ready.
 *
 * <p>The system allows one event object per socket, so a handle can be in only one such set at a time.
 */
@NullMarked
package dev.sluice.demultiplexer.wfmo;

import org.jspecify.annotations.NullMarked;
