package dev.sluice.demultiplexers.operation;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.Completions;
import dev.sluice.demultiplexer.Operation;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A loop processor without a system: an operation that is not over at once lasts until it is cancelled, or until the
 * next turn if it is a timeout. What it waits for is a semaphore.
 */
final class StandInProcessor extends LoopProcessor {

    /** What a wait that nobody has ended returns after; a signal that got lost shows by that. */
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ArrayDeque<NativeOperation> begun = new ArrayDeque<>();
    private final Semaphore signals = new Semaphore(0);
    private final Completions completions = newCompletions(4);
    private int lasts;
    private int provided;
    private boolean stuck;

    StandInProcessor() {
        super("stand-in", new ProvidedBuffers.Size(16, 1, 1));
    }

    @Override
    protected void begin(NativeOperation operation) {
        begun.add(operation);
    }

    @Override
    protected void cancelBegun(NativeOperation operation) {
        if (begun.remove(operation)) {
            complete(operation, -Errno.ECANCELED.number());
        }
    }

    @Override
    protected void execute(long timeoutNanos) throws IOException {
        if (timeoutNanos != 0 && begun.isEmpty()) {
            try {
                stuck |= !signals.tryAcquire(LIMIT_NANOS, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
        NativeOperation next = begun.poll();
        if (next != null) {
            complete(next, 0);
        }
    }

    @Override
    protected void signal() {
        signals.release();
    }

    @Override
    protected void provide(PooledBuffer buffer) {
        provided++;
    }

    @Override
    protected void dispose() {
        // There is nothing that the system has to get back.
    }

    /** Waits once, as the loop thread. */
    int turn(long timeoutNanos) {
        try {
            int count = awaitCompletions(completions, timeoutNanos);
            for (int i = 0; i < count; i++) {
                lasts += completions.isLast(i) ? 1 : 0;
            }
            return count;
        } catch (IOException e) {
            return -1;
        }
    }

    /** {@return how many last completions have been collected} */
    int lasts() {
        return lasts;
    }

    /** {@return how many buffers have been given back} */
    int provided() {
        return provided;
    }

    /** {@return whether a wait has been left alone until the end of its limit} */
    boolean isStuck() {
        return stuck;
    }

    Operation operation() {
        return newOperation(null);
    }
}
