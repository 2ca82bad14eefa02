package dev.sluice.eventloop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Emulator;
import dev.sluice.handle.LeakChecked;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;

/** What the tests of all event loops do alike. */
public abstract class EventLoopContract extends LeakChecked {

    /** How long a test waits for what must happen: long enough for the busiest machine. */
    public static final Duration LIMIT = Emulator.patience(Duration.ofSeconds(30));

    private static final Set<Thread.State> WAITING_OR_OVER = EnumSet.of(Thread.State.BLOCKED, Thread.State.WAITING,
            Thread.State.TIMED_WAITING, Thread.State.TERMINATED);
    private static final Queue<AssertionError> FAILED_ASSERTIONS = new ConcurrentLinkedQueue<>();

    /** The name of the demultiplexer. */
    @Parameter(0)
    protected String demultiplexer;

    /** For subclasses. */
    protected EventLoopContract() {
    }

    /**
     * Records an exception that a hook has thrown: a failed assertion in a hook ends the handler's registration, and
     * would not fail the test otherwise.
     */
    public static void noteFailure(Throwable failure) {
        if (failure instanceof AssertionError assertion) {
            FAILED_ASSERTIONS.add(assertion);
        }
    }

    @AfterEach
    final void throwFailedAssertions() {
        AssertionError first = FAILED_ASSERTIONS.poll();
        FAILED_ASSERTIONS.clear();
        if (first != null) {
            throw first;
        }
    }

    /** {@return the loop under test} */
    protected abstract EventLoop loop();

    /** Runs the loop in this thread until what the test waits for has happened in it. */
    protected final void runUntil(BooleanSupplier happened) throws IOException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!happened.getAsBoolean()) {
            long left = end - System.nanoTime();
            assertTrue(left > 0, "it does not happen");
            loop().runOnce(Duration.ofNanos(left));
        }
        assertTrue(System.nanoTime() - end < 0, "it has happened, and nothing has woken the loop");
    }

    /** Dispatches in this thread all there is; what other threads cause has to be there already. */
    protected final void runUntilIdle() throws IOException {
        long end = System.nanoTime() + LIMIT.toNanos();
        int idle = 0;
        while (idle < 3) {
            assertTrue(System.nanoTime() - end < 0, "there is always something to dispatch");
            idle = loop().runOnce(Duration.ZERO) == 0 ? idle + 1 : 0;
        }
    }

    /** Runs the loop in a thread of its own until the end of the test. */
    protected final LoopRunner runInBackground() {
        return own(new LoopRunner(loop()));
    }

    /** Runs the loop once more, in a hook or a task. */
    protected final void runInside(Duration timeout) {
        try {
            loop().runOnce(timeout);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Runs a task that waits in the loop for another task, while no thread that runs the loop has anything else to do.
     */
    protected final void assertTaskMayWaitForAnother() {
        AtomicBoolean begun = new AtomicBoolean();
        AtomicBoolean done = new AtomicBoolean();
        loop().execute(() -> {
            begun.set(true);
            while (!done.get()) {
                runInside(LIMIT);
            }
        });
        OtherThread.await(() -> begun.get() && loop().dispatchingThreads() == 0);
        loop().execute(() -> done.set(true));
        OtherThread.await(done::get);
    }

    /**
     * What a hook does while the loop is closed: it runs the loop, and the first time that it is called, perhaps around
     * others, another thread closes the loop meanwhile.
     */
    protected final class ClosingHook {

        private final AtomicBoolean over = new AtomicBoolean();
        private OtherThread<Boolean> closer;
        private int calls;

        /** Not called yet. */
        public ClosingHook() {
        }

        /** To be called by the hook. */
        public void run() {
            boolean first = calls++ == 0;
            runInside(Duration.ZERO);
            if (first) {
                closer = OtherThread.start(() -> {
                    loop().close();
                    return over.get();
                });
                OtherThread.await(() -> WAITING_OR_OVER.contains(closer.thread().getState()));
                over.set(true);
            }
        }

        /** To be called when the loop is closed. */
        public void assertWaitedFor() throws Exception {
            assertTrue(closer.result(), "a close has returned while a hook was running");
        }
    }
}
