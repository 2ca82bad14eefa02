package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.jcstress.BoundedWait;
import java.io.IOException;
import java.util.ArrayDeque;

/**
 * A loop processor without a system: an operation that is not over at once lasts until it is cancelled, or until the
 * next turn if it is a timeout.
 */
final class StandInProcessor extends SingleThreadedProcessor {

    private final ArrayDeque<OperationSlot> begun = new ArrayDeque<>();
    private final BoundedWait wait = new BoundedWait();
    private final Completions completions = newCompletions(4);
    private int lasts;

    StandInProcessor() {
        super("stand-in", new ProvidedBuffers.Size(16, 1, 1));
    }

    @Override
    protected Execution<?> newExecution(Arguments asked) {
        return new Execution<>(asked, outcomes()) {
            @Override
            protected void begin() {
                begun.add(operation);
            }

            @Override
            protected void cancel() {
                if (begun.remove(operation)) {
                    outcomes().complete(operation, -Errno.ECANCELED.number());
                }
            }
        };
    }

    @Override
    protected void execute(long timeoutNanos) {
        if (timeoutNanos != 0 && begun.isEmpty()) {
            wait.await(timeoutNanos);
        }
        OperationSlot next = begun.poll();
        if (next != null) {
            outcomes().complete(next, 0);
        }
    }

    @Override
    protected void signal() {
        wait.signal();
    }

    @Override
    protected void dispose() {
        // There is nothing that the system has to get back.
    }

    /** Waits once, as the loop thread. */
    int runIteration(long timeoutNanos) {
        try {
            int count = awaitCompletions(completions, timeoutNanos);
            for (int i = 0; i < count; i++) {
                lasts += completions.get(i).isLast() ? 1 : 0;
            }
            return count;
        } catch (IOException e) {
            return -1;
        }
    }

    /** {@return the number of last completions collected} */
    int lasts() {
        return lasts;
    }

    /** {@return the number of buffers that have been given back; called by the loop thread, which takes them} */
    int takeProvided() {
        enterInside();
        try {
            int taken = 0;
            while (PooledBuffer.takeFree(memory.providedBuffers.ordinary()) != null) {
                taken++;
            }
            return taken;
        } finally {
            leaveInside();
        }
    }

    /** {@return whether a wait went on that had to be ended} */
    boolean isForgotten() {
        return wait.isForgotten();
    }

    Operation operation() {
        return newOperation();
    }
}
