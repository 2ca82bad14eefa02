package dev.sluice.samples.configurator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.testing.Depth;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A service is closed once: after it has been replaced and no request uses it any longer. */
@Tag(Depth.IN_QUICK)
class ServiceRepositoryTest {

    private static final int THREADS = 4;
    private static final int REPLACEMENTS = 2_000;

    private static class Counted extends Service {

        private final AtomicInteger closed = new AtomicInteger();

        @Override
        public void close() {
            closed.incrementAndGet();
        }

        boolean isClosed() {
            return closed.get() > 0;
        }
    }

    private final List<Runnable> tasks = new ArrayList<>();

    @Test
    void closesWhatIsReplacedWhenItsLastRequestHasEnded() {
        Counted first = new Counted();
        ServiceRepository<Counted> services = new ServiceRepository<>(first, tasks::add);
        assertSame(first, services.acquire());
        assertSame(first, services.acquire());
        Counted second = new Counted();
        services.replace(second);
        assertSame(second, services.current());
        assertSame(second, services.acquire());
        assertEquals(2, services.count());
        first.release();
        assertTrue(tasks.isEmpty());
        first.release();
        assertFalse(first.isClosed(), "not on the thread that ends a request");
        tasks.forEach(Runnable::run);
        assertTrue(first.isClosed());
        assertEquals(1, services.count());
        second.release();
        assertEquals(1, tasks.size(), "it is in use");
        services.close();
        services.close();
        assertEquals(1, first.closed.get());
        assertEquals(1, second.closed.get());
    }

    @Test
    void closesAllAtTheEnd() {
        Counted first = new Counted();
        Counted second = new Counted();
        ServiceRepository<Counted> services = new ServiceRepository<>(first, task -> {
            throw new RejectedExecutionException("the server stops");
        });
        services.acquire();
        services.replace(second);
        first.release();
        assertFalse(first.isClosed());
        services.close();
        assertTrue(first.isClosed() && second.isClosed());
    }

    @Test
    void serviceThatFailsToRetireIsReplacedNevertheless() {
        Counted first = new Counted() {
            @Override
            protected void retire() {
                throw new IllegalStateException("retire");
            }
        };
        Counted second = new Counted();
        ServiceRepository<Counted> services = new ServiceRepository<>(first, Runnable::run);
        services.replace(second);
        assertSame(second, services.current());
        assertTrue(first.isClosed());
        assertFalse(second.isClosed());
        services.close();
    }

    @Test
    void closedServicesAreNeverAcquired() throws Exception {
        Counted first = new Counted();
        ServiceRepository<Counted> services = new ServiceRepository<>(first, Runnable::run);
        List<Background<Integer>> users = new ArrayList<>();
        AtomicInteger left = new AtomicInteger(REPLACEMENTS);
        for (int i = 0; i < THREADS; i++) {
            users.add(Background.run(() -> {
                int used = 0;
                while (left.get() > 0) {
                    Counted service = services.acquire();
                    assertFalse(service.isClosed());
                    used++;
                    service.release();
                }
                return used;
            }));
        }
        for (; left.get() > 0; left.decrementAndGet()) {
            services.replace(new Counted());
        }
        for (Background<Integer> each : users) {
            assertTrue(each.result() >= 0);
        }
        assertNotSame(first, services.current());
        assertEquals(1, first.closed.get());
        assertEquals(1, services.count());
        services.close();
    }
}
