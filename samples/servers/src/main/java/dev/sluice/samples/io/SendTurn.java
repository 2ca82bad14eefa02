package dev.sluice.samples.io;

/**
 * The place of a connection among those with long messages, in a {@link SendOrder}. Besides what the order has under
 * its lock, this belongs to the connection, under its own.
 */
final class SendTurn {

    private final Runnable resume;
    private volatile boolean mine;
    /** Belongs to the order. */
    private long rank;

    /**
     * Creates a turn that is not waited for.
     *
     * @param resume is run when it has come, and begins the step
     */
    SendTurn(Runnable resume) {
        this.resume = resume;
    }

    long rank() {
        return rank;
    }

    void setRank(long octets) {
        rank = octets;
    }

    /** Makes it the turn of this connection. */
    void come() {
        mine = true;
        resume.run();
    }

    /** {@return whether the turn has come since this was called last} */
    boolean isMine() {
        boolean was = mine;
        mine = false;
        return was;
    }
}
