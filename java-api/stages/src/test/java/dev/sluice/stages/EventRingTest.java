package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.eventloop.OtherThread;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a ring promises to threads that use it at once. */
class EventRingTest {

    private static final int THREADS = 3;
    private static final int ROUNDS = 300_000;

    /** Each thread adds one event, and takes one before it adds the next: there are never more than threads. */
    @Test
    void noThreadIsRefusedWhileThereIsSpace() throws Exception {
        EventRing ring = new EventRing(THREADS, false);
        List<OtherThread<Integer>> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            boolean reserves = i == 0;
            threads.add(OtherThread.start(() -> refusals(ring, reserves)));
        }
        for (OtherThread<Integer> thread : threads) {
            assertEquals(0, thread.result());
        }
        assertEquals(0, ring.length());
    }

    /** {@return how often it was refused} Then it takes nothing. */
    private static int refusals(EventRing ring, boolean reserves) {
        EventBatch<Integer> batch = new EventBatch<>(1, null, false);
        int refusals = 0;
        for (int round = 0; round < CalledSystem.times(ROUNDS); round++) {
            long place = reserves ? ring.reserve(1, THREADS, EventRing.ALL)
                    : ring.add(round, null, 1, 0, THREADS, EventRing.ALL);
            if (place < 0) {
                refusals++;
                continue;
            }
            if (reserves) {
                ring.add(round, null, 1, 0, EventRing.RESERVED, EventRing.ALL);
            }
            while (ring.take(batch, 1) == 0) {
                Thread.yield();
            }
            batch.filled(0);
        }
        return refusals;
    }
}
