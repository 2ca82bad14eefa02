package dev.sluice.proactor;

import dev.sluice.demultiplexer.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.Operation;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An operation, and who has to be told of its completion with which token. Reused: claimed by an initiator, released by
 * the thread that got the last completion, before it calls the handler, which may claim it again at once, or by the
 * initiator if the operation could not be started.
 */
class Initiation {

    static final int INDEX_BITS = 24;

    // The lowest bits of the state
    private static final int FREE = 0;
    private static final int CLAIMED = 1;
    /** Claimed, and not to be released before the one who cancels has done so: it would cancel the next operation. */
    private static final int BEING_CANCELLED = 2;
    private static final int STATE_BITS = 2;
    private static final int SPINS = 100;

    private final Operation operation;
    private final int index;
    /** Above the lowest bits the number of the claim, so that nobody takes the one for the other. */
    private final AtomicLong state = new AtomicLong(FREE);
    private CompletionHandler handler;
    private Object token;

    Initiation(AsynchronousEventDemultiplexer demultiplexer, int index) {
        operation = demultiplexer.newOperation(this);
        this.index = index;
    }

    final boolean claim(CompletionHandler newHandler, Object newToken) {
        long seen = state.get();
        if (!is(FREE, seen) || !state.compareAndSet(seen, next(seen))) {
            return false;
        }
        handler = newHandler;
        token = newToken;
        return true;
    }

    private static boolean is(int wanted, long state) {
        return (state & (1 << STATE_BITS) - 1) == wanted;
    }

    private static long with(int wanted, long state) {
        return state >> STATE_BITS << STATE_BITS | wanted;
    }

    private static long next(long state) {
        return with(CLAIMED, state + (1 << STATE_BITS));
    }

    final void release() {
        handler = null;
        token = null;
        long claimed = with(CLAIMED, state.get());
        for (int spins = 0; !state.compareAndSet(claimed, with(FREE, claimed)); spins++) {
            pause(spins);
        }
    }

    private static void pause(int spins) {
        if (spins < SPINS) {
            Thread.onSpinWait();
        } else {
            // The other thread may have lost its processor.
            Thread.yield();
        }
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

    /** {@return what tells this start of the operation from all others on the handle, until it is released} */
    final long ticket() {
        return ticket(state.get());
    }

    private long ticket(long seen) {
        return seen >> STATE_BITS << INDEX_BITS | index;
    }

    /** {@return which of a handle's initiations a ticket is about} */
    static int index(long ticket) {
        return (int) (ticket & (1 << INDEX_BITS) - 1);
    }

    /** Cancels the operation if it is still the one that the ticket is about. From any thread. */
    final void cancel(long ticket) {
        long seen = state.get();
        for (int spins = 0; ticket(seen) == ticket && !is(FREE, seen); spins++) {
            if (is(CLAIMED, seen) && state.compareAndSet(seen, with(BEING_CANCELLED, seen))) {
                try {
                    operation.cancel();
                } finally {
                    state.set(seen);
                }
                return;
            }
            pause(spins);
            seen = state.get();
        }
    }

    /** Adds to a completion what the demultiplexer does not know. By the thread that has got it. */
    void completed(Completion completion) {
    }
}
