package dev.sluice.samples.io;

/**
 * A filter of output: other filters transform a message before it is sent; this one observes its transfer,
 * independently of the protocol. It never blocks. Shared by all connections, and used by several threads.
 */
public interface TransferFilter {

    /**
     * A message is about to be sent.
     *
     * @param transfer the message on its way
     */
    default void begins(Transfer transfer) {
        // Of interest to some.
    }

    /**
     * A message that is no interim one has been sent, or as much of it as could be.
     *
     * @param transfer the message on its way
     */
    default void ended(Transfer transfer) {
        // Of interest to some.
    }
}
