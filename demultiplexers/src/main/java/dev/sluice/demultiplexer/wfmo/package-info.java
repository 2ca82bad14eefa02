/**
 * {@code wfmo}: {@code WSAEventSelect} and {@code WaitForMultipleObjects}, the concurrent handle set of Windows that
 * the Leader/Followers paper names. It takes 63 handles: the call waits for 64 objects, of which one is the wake-up.
 *
 * <p>Each member has a system event object, which is set when something happens to its socket and reset by the one
 * waiter whose wait it ends. All event objects exist from the beginning and all waiters wait for all of them, so no
 * waiter needs to be notified of a change to the set.
 *
 * <p>An event says that something has happened, not what the current state is. So the socket itself is checked twice:
 * when it is armed, for anything that happened before, and when its event has been set, because the cause may have been
 * dealt with in the meantime.
 *
 * <p>The system allows one event object per socket, so a handle can be in only one such set at a time.
 */
package dev.sluice.demultiplexer.wfmo;
