package dev.sluice.trace;

import dev.sluice.eventloop.OtherThread;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What is logged while it is open: everything goes to the standard error stream in tests. */
final class StallReports implements AutoCloseable {

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    StallReports() {
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    }

    void await(String text) throws Exception {
        OtherThread.await(() -> text().contains(text));
    }

    String text() {
        return log.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        System.setErr(before);
    }
}
