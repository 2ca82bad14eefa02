package dev.sluice.proactor;

import dev.sluice.demultiplexer.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.Operation;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An operation, and who has to be told of its completion with which token. Reused: claimed by an initiator, released
 * by the loop thread before it calls the handler, which may claim it again at once.
 */
class Initiation {

    static final int INDEX_BITS = 24;

    private final Operation operation;
    private final int index;
    private final AtomicBoolean claimed = new AtomicBoolean();
    private volatile int number;
    private CompletionHandler handler;
    private Object token;

    Initiation(AsynchronousEventDemultiplexer demultiplexer, int index) {
        operation = demultiplexer.newOperation(this);
        this.index = index;
    }

    final boolean claim(CompletionHandler newHandler, Object newToken) {
        if (claimed.get() || !claimed.compareAndSet(false, true)) {
            return false;
        }
        number++;
        handler = newHandler;
        token = newToken;
        return true;
    }

    final void release() {
        handler = null;
        token = null;
        claimed.set(false);
    }

    final Operation operation() {
        return operation;
    }

    final CompletionHandler handler() {
        return handler;
    }

    final Object token() {
        return token;
    }

    /** {@return what tells this start of the operation from all others on the handle; by who has claimed it} */
    final long ticket() {
        return (long) number << INDEX_BITS | index;
    }

    /** {@return which of a handle's initiations a ticket is about} */
    static int index(long ticket) {
        return (int) (ticket & (1 << INDEX_BITS) - 1);
    }

    /** Cancels the operation if it is still the one that the ticket is about. By the loop thread, which releases. */
    final void cancel(long ticket) {
        if (claimed.get() && ticket() == ticket) {
            operation.cancel();
        }
    }

    /**
     * Releases what could not be started.
     *
     * @return the reason, to be thrown
     */
    final RuntimeException refused(RuntimeException reason) {
        release();
        return reason;
    }

    /** Adds to a completion what the demultiplexer does not know. By the loop thread. */
    void completed(Completion completion) {
    }
}
