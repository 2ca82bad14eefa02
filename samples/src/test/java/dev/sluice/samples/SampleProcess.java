package dev.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A process that runs a sample, for as long as a test needs it. */
public final class SampleProcess implements AutoCloseable {

    public static final int SIGHUP = 1;
    public static final int SIGINT = 2;
    public static final int SIGTERM = 15;

    private static final Pattern READY =
            Pattern.compile("ready: ([\\w-]+) on (.+):(\\d+) \\((.+), (\\w+), java (\\d+)\\)");

    private final Process process;
    private final Duration patience;
    private final CapturedOutput output;
    private final CapturedOutput errors;
    private final Thread lastResort;

    private SampleProcess(Process process, boolean holdingOutput, Duration patience) {
        this.process = process;
        this.patience = patience;
        // A build that is broken off in the middle leaves no server behind.
        this.lastResort = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(lastResort);
        this.output = new CapturedOutput(process.getInputStream(), holdingOutput, patience);
        this.errors = new CapturedOutput(process.getErrorStream(), false, patience);
    }

    public static SampleProcess start(ProcessBuilder builder) throws IOException {
        return start(builder, false);
    }

    /** Starts one that is slower than any machine is busy, with this as the limit of all waiting for it. */
    public static SampleProcess start(ProcessBuilder builder, Duration patience) throws IOException {
        return new SampleProcess(builder.start(), false, patience);
    }

    static SampleProcess start(ProcessBuilder builder, boolean holdingOutput) throws IOException {
        return new SampleProcess(builder.start(), holdingOutput, Patience.LIMIT);
    }

    public long pid() {
        return process.pid();
    }

    public CapturedOutput output() {
        return output;
    }

    public CapturedOutput errors() {
        return errors;
    }

    public ProcessFigures figures() {
        return new ProcessFigures(process.toHandle());
    }

    /** Waits for the line that says ready. */
    public String awaitReadyLine() throws InterruptedException {
        try {
            return output.awaitLine("ready line", line -> line.startsWith("ready: "));
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "\nand on standard error: " + errors.text(), e);
        }
    }

    /** Waits until the sample is ready, and tells where it accepts. */
    public InetSocketAddress awaitAddress() throws InterruptedException {
        String line = awaitReadyLine();
        Matcher ready = READY.matcher(line);
        assertTrue(ready.matches(), line);
        return new InetSocketAddress(ready.group(2), Integer.parseInt(ready.group(3)));
    }

    /** Waits until the sample is ready at so many ports, and tells where, in no certain order. */
    public List<InetSocketAddress> awaitAddresses(int count) throws Exception {
        Patience.until(() -> output.text() + errors.text(), () -> readyLines().size() == count);
        return readyLines().stream().map(ready -> new InetSocketAddress(ready.group(2),
                Integer.parseInt(ready.group(3)))).toList();
    }

    private List<Matcher> readyLines() {
        return output.lines().stream().map(READY::matcher).filter(Matcher::matches).toList();
    }

    /** Sends SIGTERM. */
    public void terminate() {
        // Not Process.destroy(), which closes the outputs as well: the last lines would be lost.
        process.toHandle().destroy();
    }

    /** Sends SIGINT. */
    public void interrupt() throws Exception {
        // Inherited from a shell that started the build in the background, and Java respects it.
        assumeFalse(figures().ignores(SIGINT), "SIGINT is ignored here");
        signal("INT");
    }

    /** Sends SIGHUP, as a terminal does at its end, and logrotate(8) when it has moved a file away. */
    public void hangUp() throws Exception {
        // Inherited from nohup(1) before the build, and Java respects it.
        assumeFalse(figures().ignores(SIGHUP), "SIGHUP is ignored here");
        signal("HUP");
    }

    /** Sends SIGINT to the group that it leads, as a terminal does. */
    public void interruptGroup() throws Exception {
        assumeFalse(figures().ignores(SIGINT), "SIGINT is ignored here");
        kill("INT", -pid());
    }

    /** Lets it do nothing from now on, so that all that comes stays where it is. */
    public void suspend() throws Exception {
        signal("STOP");
        // Each of its threads has to take notice, and on a busy machine some may run until then.
        Patience.until("it is stopped", figures()::isSuspended);
    }

    /** Lets it go on, at once with a signal to end if there was one. */
    public void resume() throws Exception {
        signal("CONT");
    }

    /** Sends a signal by name. */
    public void signal(String name) throws Exception {
        kill(name, pid());
    }

    private static void kill(String name, long whom) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + name, "--", Long.toString(whom)).inheritIO().start();
        try {
            assertTrue(kill.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS));
            assertEquals(0, kill.exitValue());
        } finally {
            kill.destroyForcibly();
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Waits for the end and for all output. */
    public int awaitExit() throws InterruptedException {
        if (!process.waitFor(patience.toSeconds(), TimeUnit.SECONDS)) {
            fail("still running after " + patience + "; on standard error: " + errors.text()
                    + "\non standard output, where a JVM says what its threads do: " + withThreads());
        }
        output.awaitEnd();
        errors.awaitEnd();
        return process.exitValue();
    }

    private String withThreads() {
        try {
            signal("QUIT");
            // The dump of a JVM ends with its heap.
            output.awaitLine("threads", line -> line.startsWith("Heap"));
        } catch (Exception | AssertionError e) {
            return output.text() + "\n(no threads: " + e.getMessage() + ")";
        }
        return output.text();
    }

    /** Asks it to stop, and checks that it ends in order. */
    public void stop() throws InterruptedException {
        terminate();
        assertEquals(0, awaitExit(), errors::text);
    }

    /** Ends it, in whatever state it is. */
    @Override
    public void close() {
        output.release();
        process.destroyForcibly().onExit().join();
        Runtime.getRuntime().removeShutdownHook(lastResort);
    }
}
