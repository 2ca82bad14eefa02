package dev.sluice.samples.io;

/**
 * The message of one connection that another thread makes. If the connection ends in the meantime, its protocol handler
 * is closed when that thread has finished. For the thread of the connection.
 */
final class Elsewhere {

    private final ProtocolHandler protocol;
    private final Runnable waker;
    private boolean awaiting;

    // Guarded by this object: the other thread writes, too.
    private boolean made;
    private boolean closed;

    /**
     * For a connection.
     *
     * @param waker has {@link #await} be called again; for any thread
     */
    Elsewhere(ProtocolHandler protocol, Runnable waker) {
        this.protocol = protocol;
        this.waker = waker;
        protocol.awaitedBy(this::made);
    }

    /**
     * Starts making the message, unless that has begun. Returns whether the message is complete, and has been taken.
     */
    boolean await() {
        if (!awaiting) {
            awaiting = true;
            protocol.makeElsewhere();
        }
        boolean there = takeMade();
        if (there) {
            awaiting = false;
            protocol.takeMessage();
        }
        return there;
    }

    private synchronized boolean takeMade() {
        boolean there = made;
        made = false;
        return there;
    }

    private void made() {
        boolean over;
        synchronized (this) {
            made = true;
            over = closed;
        }
        if (over) {
            protocol.close();
        } else {
            waker.run();
        }
    }

    /** The connection has ended. */
    void close() {
        synchronized (this) {
            closed = true;
            if (awaiting && !made) {
                protocol.unwanted();
                return;
            }
        }
        protocol.close();
    }
}
