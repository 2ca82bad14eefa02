package dev.sluice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A sample in a process of its own. */
public final class SampleProcess implements RunningSample {

    public static final int SIGHUP = 1;
    public static final int SIGINT = 2;
    public static final int SIGTERM = 15;

    private final Process process;
    private final Duration timeout;
    private final CapturedOutput output;
    private final CapturedOutput errors;
    private final Thread lastResort;

    private SampleProcess(Process process, boolean holdingOutput, Duration timeout) {
        this.process = process;
        this.timeout = timeout;
        // A build that is broken off in the middle leaves no server behind.
        this.lastResort = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(lastResort);
        this.output = new CapturedOutput(process.getInputStream(), holdingOutput, timeout);
        this.errors = new CapturedOutput(process.getErrorStream(), false, timeout);
    }

    public static SampleProcess start(ProcessBuilder builder) throws IOException {
        return start(builder, false);
    }

    /** Starts one that is slower than any machine is busy, with this as the limit of all waiting for it. */
    public static SampleProcess start(ProcessBuilder builder, Duration timeout) throws IOException {
        return new SampleProcess(builder.start(), false, timeout);
    }

    static SampleProcess start(ProcessBuilder builder, boolean holdingOutput) throws IOException {
        return new SampleProcess(builder.start(), holdingOutput, Patience.LIMIT);
    }

    public long pid() {
        return process.pid();
    }

    @Override
    public CapturedOutput output() {
        return output;
    }

    @Override
    public CapturedOutput errors() {
        return errors;
    }

    @Override
    public ProcessFigures figures() {
        return new ProcessFigures(process.toHandle());
    }

    @Override
    public void terminate() {
        // Not Process.destroy(), which closes the outputs as well: the last lines would be lost.
        process.toHandle().destroy();
    }

    @Override
    public void interrupt() throws Exception {
        // Inherited from a shell that started the build in the background, and Java respects it.
        assumeFalse(figures().ignores(SIGINT), "SIGINT is ignored here");
        signal("INT");
    }

    @Override
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

    @Override
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

    @Override
    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public int awaitExit() throws InterruptedException {
        if (!process.waitFor(timeout.toSeconds(), TimeUnit.SECONDS)) {
            fail("still running after " + timeout + "; on standard error: " + errors.text()
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

    @Override
    public void close() {
        output.release();
        process.destroyForcibly().onExit().join();
        Runtime.getRuntime().removeShutdownHook(lastResort);
    }
}
