package dev.sluice.stages;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.sluice.testing.Depth;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An event takes the time when it was added along, wherever the handler moves it. */
@Tag(Depth.IN_QUICK)
class EventBatchTest {

    private final ResponseTimes responses = new ResponseTimes();

    /** Each event was added as many hours ago as it says. */
    private EventBatch<Integer> batch(int... hours) {
        EventBatch<Integer> batch = new EventBatch<>(hours.length, responses, false);
        long now = System.nanoTime();
        for (int i = 0; i < hours.length; i++) {
            batch.events[i] = hours[i];
            batch.times[i] = now - TimeUnit.HOURS.toNanos(hours[i]);
        }
        batch.filled(hours.length);
        return batch;
    }

    private static void assertTakes(EventBatch<Integer> batch, int... expected) {
        for (int event : expected) {
            assertEquals(event, batch.next());
        }
        assertNull(batch.next());
    }

    private void assertHours(int... expected) {
        long[] times = responses.latest(0, responses.count());
        assertArrayEquals(expected, Arrays.stream(times).mapToInt(time -> (int) TimeUnit.NANOSECONDS.toHours(time))
                .toArray());
    }

    @Test
    void responseTimesAreThoseOfTheEventsInTheOrderTheyWereSortedInto() {
        EventBatch<Integer> batch = batch(3, 9, 1, 5);
        assertEquals(3, batch.next());
        batch.sort(Comparator.naturalOrder());
        assertTakes(batch, 1, 5, 9);
        assertHours(3, 1, 5, 9);
    }

    @Test
    void responseTimesAreThoseOfTheEventsThatWereNotDiscarded() {
        EventBatch<Integer> batch = batch(3, 9, 1, 5);
        assertEquals(2, batch.discardIf(hours -> hours == 3 || hours == 1));
        assertTakes(batch, 9, 5);
        assertHours(9, 5);
    }
}
