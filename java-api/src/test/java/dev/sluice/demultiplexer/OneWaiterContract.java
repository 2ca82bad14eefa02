package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.testing.Depth;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Only the loop thread may wait. */
abstract class OneWaiterContract extends OperationContract {

    private static final int THREADS = 8;
    private static final int ROUNDS = Depth.times(100, 250, 2_500);

    OneWaiterContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @Test
    void anotherThreadMayNotWait() throws Exception {
        collect(0);
        Future<Void> other = inBackground(() -> {
            assertThrows(IllegalStateException.class, () -> collect(0));
            return null;
        });
        finish(other);
        Flight post = start(o -> o.post(3));
        assertResult(3, post);
    }

    /** A thread that is refused must not disturb the thread that may wait. */
    @Test
    void refusedThreadsDoNotDisturbTheLoopThread() throws Exception {
        collect(0);
        List<Future<Void>> others = new ArrayList<>();
        AtomicInteger running = new AtomicInteger(THREADS);
        for (int i = 0; i < THREADS; i++) {
            others.add(inBackground(() -> {
                try (Completions batch = demultiplexer.newCompletions(1)) {
                    for (int round = 0; round < ROUNDS; round++) {
                        assertThrows(IllegalStateException.class, () -> demultiplexer.awaitCompletions(batch, 0));
                    }
                } finally {
                    running.decrementAndGet();
                }
                return null;
            }));
        }
        while (running.get() > 0) {
            collect(0);
        }
        for (Future<Void> other : others) {
            finish(other);
        }
    }
}
