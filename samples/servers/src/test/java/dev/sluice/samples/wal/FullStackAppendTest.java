package dev.sluice.samples.wal;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.handle.LeakChecked;
import dev.sluice.samples.Background;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An append by a thread whose stack is full fails alone, or stops the log: no thread waits for its group forever. */
@Timeout(120)
class FullStackAppendTest extends LeakChecked {

    private static final int STACK = 256 * 1024;

    private final ByteBuffer record = WrittenLog.record("record");

    @Test
    void noOtherAppendWaitsForever(@TempDir Path directory) throws Exception {
        try (WriteAheadLog log = WriteAheadLog.open(directory, WrittenLog.settings(Mechanism.AUTO),
                (number, bytes) -> { })) {
            log.append(record);
            Thread thread = new Thread(null, () -> descend(log), "small stack", STACK);
            thread.start();
            thread.join();
            try {
                Background.run(() -> log.append(record)).result();
            } catch (IOException e) {
                assertTrue(e.getMessage().contains("the log has stopped: "), e.getMessage());
            }
        }
    }

    /** Calls itself until the stack is full, and appends on the way back. {@return whether that has had an end} */
    private boolean descend(WriteAheadLog log) {
        try {
            return descend(log) || append(log);
        } catch (StackOverflowError e) {
            return false;
        }
    }

    private boolean append(WriteAheadLog log) {
        try {
            log.append(record);
            return true;
        } catch (IOException e) {
            return true;
        }
    }
}
