package dev.sluice.proactor;

import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.failure.StackReserve;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a proactor that do not belong to an {@link AsyncHandle}. Their tickets have the same format. All
 * methods may be called from any thread.
 */
final class OperationPool {

    /**
     * Maximum number of operations that are probed for a free one before another is created. There may be very many
     * operations, such as a timeout for each connection, so not all can be probed.
     */
    private static final int PROBES = 8;
    private static final int FIRST_CAPACITY = 16;

    private final AsynchronousEventDemultiplexer demultiplexer;
    private volatile Operation[] operations = new Operation[FIRST_CAPACITY];
    /** Number of operations; written after they have been stored. */
    private volatile int size;
    /** Index at which probing begins. Not synchronized, because any value is correct. */
    private int hint;

    OperationPool(AsynchronousEventDemultiplexer demultiplexer) {
        this.demultiplexer = demultiplexer;
    }

    /**
     * Claims an operation for the caller, which must start the operation that {@link #claimed} returns.
     *
     * @return its ticket
     */
    long claim(CompletionHandler target, @Nullable Object token) {
        // Ensures that the caller has the stack to start the operation.
        StackReserve.require();
        int known = size;
        Operation[] some = operations;
        int index = hint;
        for (int i = 0; i < PROBES && i < known; i++) {
            index = index < known ? index : 0;
            long number = some[index].claim(target, token);
            if (number >= 0) {
                hint = index + 1;
                return AsyncHandle.ticket(number, index);
            }
            index++;
        }
        hint = index;
        return claimNew(target, token);
    }

    private synchronized long claimNew(CompletionHandler target, @Nullable Object token) {
        int index = size;
        if (index == 1 << AsyncHandle.INDEX_BITS) {
            throw new IllegalStateException(index + " operations without a handle are in flight");
        }
        Operation added = demultiplexer.newOperation();
        long number = added.claim(target, token);
        if (index == operations.length) {
            operations = Arrays.copyOf(operations, index * 2);
        }
        operations[index] = added;
        size = index + 1;
        return AsyncHandle.ticket(number, index);
    }

    /** {@return a claimed operation} */
    Operation claimed(long ticket) {
        return operations[AsyncHandle.index(ticket)];
    }

    /** Requests the cancellation of an operation; does nothing if it has completed. */
    void cancel(long ticket) {
        if (AsyncHandle.index(ticket) < size) {
            claimed(ticket).cancel(AsyncHandle.number(ticket));
        }
    }
}
