package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.testing.Pause;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Future;

/** A wait in another thread. */
final class Waiter {

    private static final Path SELF = Path.of("/proc/thread-self");

    private final ReadyBatch ready;
    private final Future<Integer> wait;
    private volatile Thread thread;
    private volatile Path status;
    private volatile long cpuNanos;

    /** {@link SynchronousEventDemultiplexer#awaitReady} or a similar method. */
    @FunctionalInterface
    interface Wait {
        int await(ReadyBatch ready, long timeoutNanos) throws IOException;
    }

    Waiter(Wait call, ReadyBatch ready, long timeoutNanos) {
        this.ready = ready;
        this.wait = TestThreads.start(() -> {
            status = Files.exists(SELF) ? Path.of("/proc").resolve(Files.readSymbolicLink(SELF)).resolve("stat") : null;
            thread = Thread.currentThread();
            long before = ThreadTime.ofCurrentThread();
            int count = call.await(ready, timeoutNanos);
            cpuNanos = ThreadTime.ofCurrentThread() - before;
            return count;
        });
    }

    /** Waits until the thread sleeps in the system call. Returns this waiter. */
    Waiter asleep() throws Exception {
        long start = System.nanoTime();
        Pause pause = new Pause();
        while (!isAsleep()) {
            if (wait.isDone()) {
                fail("the wait has ended by itself, with " + wait.get());
            }
            assertTrue(System.nanoTime() - start < DemultiplexerContract.PATIENCE.toNanos(), "never waits");
            pause.next();
        }
        return this;
    }

    boolean isAsleep() {
        Thread waiting = thread;
        return waiting != null && waiting.getState() == Thread.State.RUNNABLE
                && Arrays.stream(waiting.getStackTrace()).anyMatch(Waiter::isWait)
                && (status == null || state().equals("S"));
    }

    private static boolean isWait(StackTraceElement frame) {
        return frame.getMethodName().equals("awaitReady") || frame.getMethodName().equals("awaitAsOwner");
    }

    /** {@return the system's number of the thread, which already sleeps} */
    int threadNumber() {
        return Integer.parseInt(status.getParent().getFileName().toString());
    }

    // The field behind the thread's name, which stands in parentheses (proc_pid_stat(5)).
    private String state() {
        try {
            String line = Files.readString(status);
            int at = line.lastIndexOf(") ") + 2;
            return line.substring(at, at + 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the end. Returns the CPU time that the wait has used. */
    long cpuNanos() {
        return cpuNanos;
    }

    Future<Integer> future() {
        return wait;
    }

    /** {@return the batch of the wait, valid after its end} */
    ReadyBatch ready() {
        return ready;
    }

    /** {@return the result of the wait} */
    int result() throws Exception {
        return TestThreads.result(wait, DemultiplexerContract.PATIENCE.toSeconds());
    }
}
