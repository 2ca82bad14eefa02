package dev.sluice.samples.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What is said when, by a clock that the test sets. */
class ProgressTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final StringWriter written = new StringWriter();
    private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - 5);

    private Progress begin(boolean rewriting, int total, Duration planned) {
        return new Progress(new PrintWriter(written), "at: ", rewriting, total, planned, time::get);
    }

    private void pass(Duration duration) {
        time.addAndGet(duration.toNanos());
    }

    private List<String> lines() {
        return written.toString().lines().toList();
    }

    @Test
    void writesTheFirstAndEachTenth() {
        Progress progress = begin(false, 40, SECOND.multipliedBy(40));
        for (int i = 0; i < 40; i++) {
            pass(SECOND);
            progress.measured(SECOND);
        }
        progress.close();
        assertEquals(List.of("at: 1 of 40 measurements, about 39 s left", "at: 4 of 40 measurements, about 36 s left",
                "at: 8 of 40 measurements, about 32 s left", "at: 12 of 40 measurements, about 28 s left",
                "at: 16 of 40 measurements, about 24 s left", "at: 20 of 40 measurements, about 20 s left",
                "at: 24 of 40 measurements, about 16 s left", "at: 28 of 40 measurements, about 12 s left",
                "at: 32 of 40 measurements, about 8 s left", "at: 36 of 40 measurements, about 4 s left",
                "at: 40 of 40 measurements"), lines());
    }

    @Test
    void isNotSilentForLongerThanAMinute() {
        Progress progress = begin(false, 1000, Duration.ofHours(5));
        for (int i = 0; i < 8; i++) {
            pass(SECOND.multipliedBy(18));
            progress.measured(SECOND.multipliedBy(18));
        }
        assertEquals(List.of("at: 1 of 1000 measurements, about 4 h 59 min left",
                "at: 5 of 1000 measurements, about 4 h 58 min left"), lines());
    }

    @Test
    void countsOnThePlanUntilItKnowsBetter() {
        Progress progress = begin(true, 2, SECOND.multipliedBy(100));
        pass(SECOND.multipliedBy(30));
        progress.prepared(SECOND.multipliedBy(20));
        pass(SECOND.multipliedBy(50));
        progress.measured(SECOND.multipliedBy(20));
        pass(SECOND.multipliedBy(50));
        progress.measured(SECOND.multipliedBy(60));
        String longest = "0 of 2 measurements, about 1 min 40 s left";
        assertEquals("\r" + longest + "\r0 of 2 measurements, about 2 min 0 s left "
                + "\r1 of 2 measurements, about 2 min 0 s left"
                + "\r2 of 2 measurements" + " ".repeat(22), written.toString());
        assertEquals(0, progress.missing());
    }

    @Test
    void leavesAnEmptyLine() {
        Progress progress = begin(true, 7, SECOND);
        written.getBuffer().setLength(0);
        progress.close();
        assertEquals("\r" + " ".repeat("0 of 7 measurements, about 1 s left".length()) + "\r", written.toString());
        assertEquals(7, progress.missing());
    }
}
