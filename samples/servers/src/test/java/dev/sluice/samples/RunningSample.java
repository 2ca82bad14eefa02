package dev.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A sample, for as long as a test needs it: in this JVM, or in a process of its own. */
public interface RunningSample extends AutoCloseable {

    Pattern READY = Pattern.compile("ready: ([\\w-]+) on (.+):(\\d+) \\((.+), (\\w+), java (\\d+)\\)");

    /** {@return what it prints on standard output} */
    CapturedOutput output();

    /** {@return what it prints on standard error} */
    CapturedOutput errors();

    /** {@return the figures of the process that it runs in, which may be this one} */
    ProcessFigures figures();

    boolean isAlive();

    /** Waits for the line that says ready. */
    default String awaitReadyLine() throws InterruptedException {
        try {
            return output().awaitLine("ready line", line -> line.startsWith("ready: "));
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "\nand on standard error: " + errors().text(), e);
        }
    }

    /** Waits until the sample is ready, and returns where it accepts. */
    default InetSocketAddress awaitAddress() throws InterruptedException {
        String line = awaitReadyLine();
        Matcher ready = READY.matcher(line);
        assertTrue(ready.matches(), line);
        return new InetSocketAddress(ready.group(2), Integer.parseInt(ready.group(3)));
    }

    /** Waits until the sample is ready at this many ports, and returns them in no certain order. */
    default List<InetSocketAddress> awaitAddresses(int count) throws Exception {
        Patience.until(() -> output().text() + errors().text(), () -> readyLines().size() == count);
        return readyLines().stream().map(ready -> new InetSocketAddress(ready.group(2),
                Integer.parseInt(ready.group(3)))).toList();
    }

    private List<Matcher> readyLines() {
        return output().lines().stream().map(READY::matcher).filter(Matcher::matches).toList();
    }

    /** Sends a signal by name, such as {@code USR1}. */
    void signal(String name) throws Exception;

    /** Sends SIGTERM. */
    void terminate();

    /** Sends SIGINT. */
    void interrupt() throws Exception;

    /** Sends SIGHUP, as a terminal does at its end, and logrotate(8) when it has moved a file away. */
    void hangUp() throws Exception;

    /** Waits for the end and for all output, and returns the exit code. */
    int awaitExit() throws InterruptedException;

    /** Asks it to stop, and checks that it ends in order. */
    default void stop() throws InterruptedException {
        terminate();
        assertEquals(0, awaitExit(), errors()::text);
    }

    /** Ends it, in whatever state it is. */
    @Override
    void close();
}
