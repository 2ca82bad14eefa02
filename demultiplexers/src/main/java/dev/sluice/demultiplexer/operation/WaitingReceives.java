package dev.sluice.demultiplexer.operation;

import org.jspecify.annotations.Nullable;

/**
 * The continuous receives that wait for provided buffers: those that need one, and those of connections that have
 * reached their share. Used only inside.
 */
final class WaitingReceives {

    private static final int MAX_CHECKS = 4;

    private final OperationProcessor processor;
    private final ProvidedBuffers buffers;
    private final int maxRetained;
    /** The receives that need a buffer. */
    final OperationQueue awaitingBuffer = new OperationQueue();
    /**
     * The first of the connections that are paused because others have taken most of the buffers. Some may have been
     * resumed since.
     */
    @Nullable HandleAssociation firstAwaiting;
    private @Nullable HandleAssociation lastAwaiting;
    private int awaiting;

    /** Creates an empty instance, for connections that may retain at most {@code maxRetained} buffers each. */
    WaitingReceives(OperationProcessor processor, ProvidedBuffers buffers, int maxRetained) {
        this.processor = processor;
        this.buffers = buffers;
        this.maxRetained = maxRetained;
    }

    boolean isEmpty() {
        return awaitingBuffer.isEmpty() && firstAwaiting == null;
    }

    /** Makes a receive wait for a buffer. */
    void await(OperationSlot operation) {
        assert processor.isInside();
        awaitingBuffer.add(operation);
    }

    /** Pauses a receive whose connection has reached its share. */
    void pause(OperationSlot operation) {
        HandleAssociation connection = operation.handleAssociation();
        connection.paused = operation;
        if (connection.taken < maxRetained) {
            awaitOthers(connection);
        }
    }

    /**
     * Queues a connection whose share is limited only because others have taken most of the buffers: buffers that these
     * release may suffice.
     */
    private void awaitOthers(HandleAssociation connection) {
        if (!connection.awaitsOthers) {
            connection.awaitsOthers = true;
            connection.nextAwaiting = null;
            if (firstAwaiting == null) {
                firstAwaiting = connection;
            } else {
                assert lastAwaiting != null;
            lastAwaiting.nextAwaiting = connection;
            }
            lastAwaiting = connection;
            awaiting++;
        }
    }

    /** Removes a receive that is cancelled. */
    void leave(OperationSlot operation) {
        assert processor.isInside();
        awaitingBuffer.remove(operation);
        operation.handleAssociation().paused = null;
    }

    /** Makes a receive that needs a buffer try again, because a receive that was resumed has ended. */
    void resumeNext() {
        OperationSlot next = awaitingBuffer.poll();
        if (next != null) {
            processor.operations.toBegin(next);
        }
    }

    /**
     * Makes a receive that needs a buffer try again, because one of the given group is free. Large buffers are used
     * only for connections that receive much, ordinary ones for all.
     *
     * @return whether there is such a receive
     */
    boolean resumeNext(BufferGroup group) {
        if (group.number == ProvidedBuffers.ORDINARY) {
            boolean isThere = awaitingBuffer.first != null;
            resumeNext();
            return isThere;
        }
        for (OperationSlot each = awaitingBuffer.first; each != null; each = each.nextWaiting) {
            if (each.handleAssociation().prefersLargeBuffers()) {
                awaitingBuffer.remove(each);
                processor.operations.toBegin(each);
                return true;
            }
        }
        return false;
    }

    /**
     * Makes receives that need a buffer try again, in order, as long as there is a free one: at most as many as the
     * buffers suffice for that are offered to the system at a time.
     */
    void resumeInTurn() {
        int places = buffers.maxOffered;
        while (places > 0 && awaitingBuffer.first != null) {
            BufferGroup group = groupForNext(awaitingBuffer.first);
            if (group == null || !resumeNext(group)) {
                return;
            }
            places -= group.places();
        }
    }

    /** {@return the group with a free buffer for the next receive, or else for one behind it; null if there is none} */
    private @Nullable BufferGroup groupForNext(OperationSlot next) {
        BufferGroup large = buffers.large;
        boolean hasLarge = large != null && large.hasFree();
        if (buffers.ordinary.hasFree() && !(hasLarge && next.handleAssociation().prefersLargeBuffers())) {
            return buffers.ordinary;
        }
        return hasLarge ? large : null;
    }

    /** Resumes a paused connection if it has less than its share. */
    void resumeOrAwaitOthers(HandleAssociation connection) {
        if (buffers.hasReachedShare(connection)) {
            awaitOthers(connection);
        } else {
            OperationSlot resumed = connection.paused;
            assert resumed != null;
            connection.paused = null;
            processor.operations.toBegin(resumed);
        }
    }

    /**
     * Checks connections that wait for others. While buffers are scarce, a few of them are checked for each released
     * buffer, because checking a thousand would take too long; once most buffers have been released, all are checked.
     */
    void resumeSome() {
        for (int looks = buffers.isScarce() ? Math.min(MAX_CHECKS, awaiting) : awaiting; looks > 0; looks--) {
            HandleAssociation connection = firstAwaiting;
            assert connection != null;
            firstAwaiting = connection.nextAwaiting;
            awaiting--;
            connection.awaitsOthers = false;
            // Null if the receive has been resumed or cancelled in the meantime.
            if (connection.paused != null) {
                resumeOrAwaitOthers(connection);
            }
        }
    }
}
