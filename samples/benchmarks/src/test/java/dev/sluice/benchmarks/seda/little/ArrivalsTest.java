package dev.sluice.benchmarks.seda.little;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The open loop, and what Little's law says of it. */
class ArrivalsTest {

    private static final long START = 1_000;

    @Test
    void ofEachHundredTheSameShareBlocks() {
        Arrivals arrivals = new Arrivals(100);
        for (int from = 0; from < 300; from += 100) {
            assertEquals(15, IntStream.range(from, from + 100)
                    .filter(number -> arrivals.arrival(number, START).blocks()).count());
        }
    }

    /** Not all of them at once. */
    @Test
    void theyAreSpread() {
        Arrivals arrivals = new Arrivals(100);
        assertTrue(IntStream.range(0, 50).anyMatch(number -> arrivals.arrival(number, START).blocks()));
        assertTrue(IntStream.range(50, 100).anyMatch(number -> arrivals.arrival(number, START).blocks()));
    }

    /** The paper's example: three threads at 1000 events a second. */
    @Test
    void littlesLaw() {
        assertEquals(3, new Arrivals(1000).threads(), 1e-9);
        assertEquals(0.3, new Arrivals(100).threads(), 1e-9);
    }

    @Test
    void aResponseTimeBeginsWhenTheEventIsDue() {
        long now = System.nanoTime();
        Arrival late = new Arrivals(1).arrival(0, now - TimeUnit.SECONDS.toNanos(100));
        Arrival later = new Arrivals(1).arrival(60, now - TimeUnit.SECONDS.toNanos(100));
        late.handle();
        later.handle();
        assertTrue(late.responseTime() >= TimeUnit.SECONDS.toNanos(100), () -> "" + late.responseTime());
        long between = late.responseTime() - later.responseTime();
        assertTrue(between > 0 && between <= TimeUnit.SECONDS.toNanos(60), () -> "" + between);
    }

    @Test
    void nothingIsAwaitedThatIsDue() {
        new Arrivals(1).arrival(0, System.nanoTime() - 1).awaitDue();
        Arrival soon = new Arrivals(1000).arrival(20, System.nanoTime());
        soon.awaitDue();
        soon.handle();
        assertTrue(soon.responseTime() >= 0, () -> "" + soon.responseTime());
    }
}
