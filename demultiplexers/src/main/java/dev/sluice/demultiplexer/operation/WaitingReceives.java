package dev.sluice.demultiplexer.operation;

/**
 * The continuous receives that wait for provided buffers: those that lack one, and those of connections that have taken
 * their share. Used only inside.
 */
final class WaitingReceives {

    private static final int LOOKS = 4;

    private final OperationProcessor processor;
    private final ProvidedBuffers buffers;
    private final int maxRetained;
    /** Those that lack a buffer. */
    final OperationQueue starving = new OperationQueue();
    /** Connections that have paused because others have taken most of the buffers. Some may have been resumed since. */
    HandleAssociation firstAwaiting;
    private HandleAssociation lastAwaiting;
    private int awaiting;

    /** Creates an empty instance, for connections that may retain at most {@code maxRetained} buffers each. */
    WaitingReceives(OperationProcessor processor, ProvidedBuffers buffers, int maxRetained) {
        this.processor = processor;
        this.buffers = buffers;
        this.maxRetained = maxRetained;
    }

    boolean isEmpty() {
        return starving.isEmpty() && firstAwaiting == null;
    }

    /** A receive lacks a buffer. */
    void await(OperationSlot operation) {
        assert processor.isInside();
        starving.add(operation);
    }

    /** The receive's connection has taken its share. */
    void pause(OperationSlot operation) {
        HandleAssociation connection = operation.association();
        connection.paused = operation;
        if (connection.taken < maxRetained) {
            awaitOthers(connection);
        }
    }

    /**
     * Its share is limited only because others have taken most of the rest: the buffers that they release may suffice.
     */
    private void awaitOthers(HandleAssociation connection) {
        if (!connection.awaitsOthers) {
            connection.awaitsOthers = true;
            connection.nextAwaiting = null;
            if (firstAwaiting == null) {
                firstAwaiting = connection;
            } else {
                lastAwaiting.nextAwaiting = connection;
            }
            lastAwaiting = connection;
            awaiting++;
        }
    }

    /** A receive is cancelled. */
    void leave(OperationSlot operation) {
        assert processor.isInside();
        starving.remove(operation);
        operation.association().paused = null;
    }

    /** Makes one that lacks a buffer try again, because a resumed one no longer needs its own. */
    void passOn() {
        OperationSlot next = starving.poll();
        if (next != null) {
            processor.operations.toBegin(next);
        }
    }

    /**
     * Makes one try again, because a buffer has been released. Large buffers are of use only to connections that
     * receive much; ordinary ones are to all.
     */
    void passOn(BufferGroup group) {
        if (group.number == ProvidedBuffers.ORDINARY) {
            passOn();
            return;
        }
        for (OperationSlot each = starving.first; each != null; each = each.nextWaiting) {
            if (each.association().prefersLargeBuffers()) {
                starving.remove(each);
                processor.operations.toBegin(each);
                return;
            }
        }
    }

    /** Resumes a connection that has paused, if it has less than its share. */
    void resumeOrAwaitOthers(HandleAssociation connection) {
        if (buffers.hasTakenItsShare(connection)) {
            awaitOthers(connection);
        } else {
            OperationSlot resumed = connection.paused;
            connection.paused = null;
            processor.operations.toBegin(resumed);
        }
    }

    /**
     * While buffers are scarce, a few of those that await others have a look for each that is back: a thousand of them
     * would take more time than the buffers. Once most are back, all do.
     */
    void resumeSome() {
        for (int looks = buffers.isScarce() ? Math.min(LOOKS, awaiting) : awaiting; looks > 0; looks--) {
            HandleAssociation connection = firstAwaiting;
            firstAwaiting = connection.nextAwaiting;
            awaiting--;
            connection.awaitsOthers = false;
            // Unless it has been resumed or cancelled in the meantime.
            if (connection.paused != null) {
                resumeOrAwaitOthers(connection);
            }
        }
    }
}
