package dev.sluice.benchmarks.seda.today;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How requests are let in to a page. */
class GateKindTest {

    private static final int LIMIT = 2;
    private static final Duration TARGET = Duration.ofSeconds(60);

    @ParameterizedTest
    @EnumSource
    void letsAPageBeMade(GateKind kind) throws Exception {
        try (Gate gate = kind.gate(() -> new byte[1], LIMIT, TARGET)) {
            assertEquals(1, gate.page().length);
        }
    }

    @ParameterizedTest
    @EnumSource
    void passesAFailureOn(GateKind kind) {
        try (Gate gate = kind.gate(() -> {
            throw new IOException("thrown by the test");
        }, LIMIT, TARGET)) {
            String message = assertThrows(IOException.class, gate::page).getMessage();
            assertTrue(message.contains("thrown by the test"), message);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "PLAIN", mode = EnumSource.Mode.EXCLUDE)
    void makesNoMorePagesAtATimeThanItsLimit(GateKind kind) throws Exception {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Semaphore inside = new Semaphore(0);
        CountDownLatch open = new CountDownLatch(1);
        Gate page = () -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            inside.release();
            open.await();
            now.decrementAndGet();
            return new byte[1];
        };
        List<Future<byte[]>> pages = new ArrayList<>();
        try (Gate gate = kind.gate(page, LIMIT, TARGET);
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4 * LIMIT; i++) {
                pages.add(clients.submit(gate::page));
            }
            inside.acquire(LIMIT);
            open.countDown();
            for (Future<byte[]> each : pages) {
                assertNotNull(each.get());
            }
        }
        assertEquals(LIMIT, most.get());
    }

    @Test
    void boundedQueueRefusesWhatItHasNoSpaceFor() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        Gate gate = GateKind.QUEUE.gate(() -> {
            open.await();
            return new byte[1];
        }, LIMIT, TARGET);
        int all = LIMIT + GateKind.QUEUE_LENGTH + 1;
        Semaphore refused = new Semaphore(0);
        AtomicInteger made = new AtomicInteger();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < all; i++) {
                clients.submit(() -> {
                    if (gate.page() == null) {
                        refused.release();
                    } else {
                        made.incrementAndGet();
                    }
                    return null;
                });
            }
            refused.acquire();
            open.countDown();
        }
        assertEquals(all - 1, made.get());
    }
}
