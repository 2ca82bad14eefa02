package dev.sluice.benchmarks.jaws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.benchmarks.load.LoadResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a measurement comes to on a machine that is too busy for any answer to come in its time. */
class StrategyTrialTest {

    private static final Duration WARM_UP = Duration.ofMillis(20);
    private static final Duration MEASURED = Duration.ofMillis(500);

    private final List<Duration> loads = new ArrayList<>();

    private LoadResult measure(Duration longEnough) throws IOException {
        return StrategyTrial.untilSomethingComes((warmUp, measured) -> {
            loads.add(warmUp);
            loads.add(measured);
            long bytes = measured.compareTo(longEnough) < 0 ? 0 : 500;
            return new LoadResult(measured.toMillis() / 1e3, bytes / 500, bytes, 1, 1, 1, null, 0.5);
        }, WARM_UP, MEASURED, "500 B");
    }

    @Test
    void lastsAsLongAsItIsToIfSomethingComes() throws IOException {
        assertEquals(500, measure(MEASURED).bytes());
        assertEquals(List.of(WARM_UP, MEASURED), loads);
    }

    @Test
    void lastsLongerIfNothingComes() throws IOException {
        LoadResult result = measure(Duration.ofSeconds(5));
        assertEquals(500, result.bytes());
        assertTrue(result.seconds() >= 5, result::toString);
        assertEquals(List.of(WARM_UP, MEASURED, Duration.ZERO), loads.subList(0, 3));
    }

    @Test
    void failsIfNothingComesAtAll() {
        String message = assertThrows(IOException.class, () -> measure(Duration.ofDays(1))).getMessage();
        assertTrue(message.startsWith("500 B: nothing has come within "), message);
    }
}
