package dev.sluice.samples.io;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Patience;
import dev.sluice.samples.server.LineDestination;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The lines of loops that come and go, as with each change of the concurrency strategy. */
class AccessLogTest {

    private final StringBuffer written = new StringBuffer();

    private final class Recorded implements LineDestination {

        @Override
        public void write(ByteBuffer lines) {
            written.append(US_ASCII.decode(lines));
        }

        @Override
        public void close() {
            written.append("end");
        }
    }

    private static WeakReference<AccessLog.Lines> endedLoop(AccessLog log, String client) {
        AccessLog.Lines lines = log.newLines();
        lines.add(client, "GET / HTTP/1.1", 200, 1);
        return new WeakReference<>(lines);
    }

    private String clients() {
        return written.toString().replaceAll(" [^\n]*\n", " ");
    }

    @Test
    void endedLoopIsNotRetainedAndItsLinesAreWritten() throws Exception {
        AccessLog log = new AccessLog(new Recorded());
        WeakReference<AccessLog.Lines> ended = endedLoop(log, "first");
        endedLoop(log, "second");
        Patience.until("the lines of the first loop are collected", () -> {
            System.gc();
            return ended.get() == null;
        });
        log.close();
        assertEquals("first second end", clients());
    }
}
