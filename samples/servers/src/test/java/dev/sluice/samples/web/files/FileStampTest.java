package dev.sluice.samples.web.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The version of a file whose time has no number of nanoseconds since 1970 that fits a {@code long}. */
class FileStampTest {

    @ParameterizedTest
    @ValueSource(strings = {"1600-01-01T00:00:00.5Z", "1969-12-31T23:59:59.5Z", "2300-01-01T00:00:00Z",
        "+12345-01-01T00:00:00Z"})
    void timesOfAllCenturiesDiffer(String text) {
        Instant time = Instant.parse(text);
        FileStamp stamp = stamp(time);
        assertEquals(time.getEpochSecond(), stamp.modifiedSecond());
        assertEquals(stamp, stamp(time));
        assertEquals(stamp.tag(), stamp(time).tag());
        for (Instant other : new Instant[] {time.plusNanos(1), time.plusSeconds(1), time.minusNanos(1)}) {
            assertNotEquals(stamp, stamp(other));
            assertNotEquals(stamp.tag(), stamp(other).tag());
        }
    }

    private static FileStamp stamp(Instant time) {
        return new FileStamp(1, 2, FileTime.from(time), FileStamp.Kind.REGULAR);
    }
}
