package dev.sluice.samples.wal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.handle.LeakChecked;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The end of a load. */
@Timeout(120)
class WriteLoadTest extends LeakChecked {

    @Test
    void loadWithoutMemoryForARecordFails(@TempDir Path directory) throws IOException {
        StringWriter printed = new StringWriter();
        try (WriteAheadLog log = WriteAheadLog.open(directory, WrittenLog.settings(Mechanism.AUTO),
                (number, bytes) -> { })) {
            // No array is as long as this.
            WriteLoad load = new WriteLoad(log, Integer.MAX_VALUE, 1, false, null);
            IOException failure = assertThrows(IOException.class,
                    () -> load.run(2, Duration.ofSeconds(1), new PrintWriter(printed)));
            assertInstanceOf(OutOfMemoryError.class, failure.getCause());
        }
        assertEquals("", printed.toString());
    }
}
