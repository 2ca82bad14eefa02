package dev.sluice.benchmarks.seda.batching;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a batch costs rises and falls. */
class BatchCostTest {

    @ParameterizedTest
    @CsvSource({"0, 0, 50000", "0, 250, 90000", "0, 500, 50000", "0, 750, 10000", "0, 1000, 50000", "0, 5250, 90000",
        "1, 0, 55000", "1000, 750, 5010000"})
    void isASineAndSomethingForEachEvent(int events, long time, long nanos) {
        assertEquals(nanos, new BatchCost(1_000).of(events, time));
    }
}
