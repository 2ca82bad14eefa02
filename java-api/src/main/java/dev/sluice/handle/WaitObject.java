package dev.sluice.handle;

/** What the wait functions of Windows, such as {@code WaitForMultipleObjects}, make of a handle. */
public enum WaitObject {

    /** They do not take it: a socket, a file, or no handle of Windows at all. */
    NONE,
    /** It stays signalled, however many waits that ends: a process that has ended, or an event reset by hand. */
    STAYS_SIGNALLED,
    /** The one wait that it ends resets it: an event that is reset automatically. */
    RESET_BY_WAIT
}
