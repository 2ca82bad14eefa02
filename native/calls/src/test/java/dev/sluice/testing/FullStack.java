package dev.sluice.testing;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/** Calls with little stack left, as a program does that has recursed too deeply. */
public final class FullStack {

    /** So few that it is full at once. */
    private static final long STACK_BYTES = 256 * 1024;

    /** What is called. */
    @FunctionalInterface
    public interface Call {

        /**
         * Calls.
         *
         * @throws Exception if it likes to
         */
        void call() throws Exception;
    }

    private final int frames;
    private final Call call;
    private Exception thrown;

    private FullStack(int frames, Call call) {
        this.frames = frames;
        this.call = call;
    }

    /**
     * Returns the numbers of frames to leave in one of several cases of a test: one of each {@code stride} numbers,
     * from another first one in each case, so that the cases together leave each number.
     *
     * @param max      the bound of the numbers
     * @param stride   the distance from each number to the next
     * @param testCase what distinguishes the case, each with the same text in every run
     */
    public static IntStream frames(int max, int stride, Object... testCase) {
        int first = Math.floorMod(Arrays.toString(testCase).hashCode(), stride);
        return IntStream.iterate(first, frames -> frames < max, frames -> frames + stride);
    }

    /**
     * Recurses until the stack is full, and calls when a number of frames has been left again. An overflow of the stack
     * in the call ends there.
     *
     * @param frames how many
     * @param call   what is called
     * @return the exception that the call has thrown, or null
     */
    public static Exception callWithFramesLeft(int frames, Call call) {
        FullStack stack = new FullStack(frames, call);
        stack.recurse();
        return stack.thrown;
    }

    /** {@return the number of frames left since the stack was full} */
    private int recurse() {
        int left;
        try {
            left = recurse() + 1;
        } catch (StackOverflowError e) {
            left = 0;
        }
        if (left == frames) {
            try {
                call.call();
            } catch (StackOverflowError e) {
                return left;
            } catch (Exception e) {
                thrown = e;
            }
        }
        return left;
    }

    /**
     * Runs something in a thread with a small stack.
     *
     * @param what  named in the error
     * @param limit how long to wait for its end
     * @param call  what is run
     * @throws AssertionError       if it throws something, or if it does not end, with its stack then
     * @throws InterruptedException if the calling thread is interrupted
     */
    public static void run(String what, Duration limit, Call call) throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(null, () -> {
            try {
                call.call();
            } catch (Throwable e) {
                failure.set(e);
            }
        }, "little stack", STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
        thread.join(limit.toMillis());
        if (thread.isAlive() || failure.get() != null) {
            AssertionError error = new AssertionError(what, failure.get());
            error.setStackTrace(thread.getStackTrace());
            throw error;
        }
    }
}
