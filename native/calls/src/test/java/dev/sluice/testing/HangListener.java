package dev.sluice.testing;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Ends a JVM whose test hangs in a system call. When a test reaches its deadline, JUnit interrupts its thread. A native
 * call does not return for that, so half a deadline later this listener writes which test hangs and where, and ends the
 * JVM. Surefire then reports the class as crashed.
 */
public final class HangListener implements TestExecutionListener {

    /** The exit status of a JVM that has been ended, as that of {@code timeout(1)}. */
    static final int STATUS = 124;

    /** What the line begins with that names the test. */
    public static final String PREFIX = "HANGS: ";

    private final Duration limit;
    /** When something last began or ended, and what. */
    private volatile long lastEvent;
    private volatile String last;
    private Thread watch;

    /** For the launcher of the JUnit platform: {@code sluice.tests.deadline} is in seconds; without it, none is set. */
    public HangListener() {
        this(Duration.ofSeconds(Integer.getInteger("sluice.tests.deadline", 0)).multipliedBy(3).dividedBy(2));
    }

    private HangListener(Duration limit) {
        this.limit = limit;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        if (!limit.isZero()) {
            happened("begin of", "the tests");
            watch = new Thread(this::watch, "watch over hanging tests");
            watch.setDaemon(true);
            watch.start();
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan finished) {
        if (watch != null) {
            watch.interrupt();
        }
    }

    @Override
    public void executionStarted(TestIdentifier identifier) {
        happened("begin of", identifier.getUniqueId());
    }

    @Override
    public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
        happened("end of", identifier.getUniqueId());
    }

    private void happened(String what, String subject) {
        last = what + " " + subject;
        lastEvent = System.nanoTime();
    }

    private void watch() {
        try {
            long left = limit.toNanos();
            while (left > 0) {
                // Rounded up, or the last fraction of a millisecond would be spent spinning.
                Thread.sleep(left / 1_000_000 + 1);
                left = lastEvent + limit.toNanos() - System.nanoTime();
            }
        } catch (InterruptedException e) {
            // The tests have ended.
            return;
        }
        try (FileOutputStream standardError = new FileOutputStream(FileDescriptor.err)) {
            standardError.write(report().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // The exit status still says it.
        }
        Runtime.getRuntime().halt(STATUS);
    }

    private String report() {
        StringBuilder report = new StringBuilder(PREFIX + "nothing for " + limit.toSeconds() + " s since the " + last
                + ". The JVM is ended.\n");
        for (Map.Entry<Thread, StackTraceElement[]> each : Thread.getAllStackTraces().entrySet()) {
            report.append(each.getKey()).append('\n');
            for (StackTraceElement element : each.getValue()) {
                report.append("    at ").append(element).append('\n');
            }
        }
        return report.toString();
    }
}
