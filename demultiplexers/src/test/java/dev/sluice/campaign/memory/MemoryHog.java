package dev.sluice.campaign.memory;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBudget;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/** Takes all the memory there is, and lets it go after a while. */
final class MemoryHog {

    private static final int LARGE = 1 << 20;
    private static final int SMALL = 64;
    private static final int STEP = 16;
    private static final long WHILE_NANOS = Duration.ofMillis(100).toNanos();
    private static final long LOOK_NANOS = Duration.ofMillis(5).toNanos();

    private volatile Object kept;
    private volatile long end;
    /** Native memory that was in use before the latest shortage. */
    private volatile long usedBefore;

    MemoryHog() {
        Thread releasing = new Thread(this::release, "releases memory");
        releasing.setDaemon(true);
        releasing.start();
    }

    private void release() {
        while (true) {
            LockSupport.parkNanos(LOOK_NANOS);
            if (kept != null && System.nanoTime() - end > 0) {
                kept = null;
                // Direct buffers are freed when the collector finds them unreachable.
                System.gc();
            }
        }
    }

    /** Allocates objects until it cannot. */
    static void exhaustHeap() {
        exhaust(byte[]::new);
    }

    /** Allocates native memory until it cannot. */
    static void exhaustDirect() {
        exhaust(MemoryHog::allocateNative);
    }

    /** From the budget that the library has. */
    private static ByteBuffer allocateNative(int size) {
        return Bindings.current().memory().allocateBuffer(size);
    }

    private static void exhaust(IntFunction<Object> allocation) {
        Object[] all = null;
        while (true) {
            all = new Object[] {all, allocation.apply(LARGE)};
        }
    }

    /** Leaves the given number of bytes of the heap, for a while. */
    void keepHeap(int left) {
        keep(byte[]::new, left);
    }

    /** Leaves the given number of bytes of native memory, for a while. */
    void keepDirect(int left) {
        keep(MemoryHog::allocateNative, left);
    }

    /** Waits until nothing is kept any more, and the collector has given back native memory that was. */
    void awaitRelease() {
        while (kept != null) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        while (MemoryBudget.CURRENT.used() > usedBefore && isMostUsed()) {
            System.gc();
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Nothing else needs as much, though it may need more than before. */
    private static boolean isMostUsed() {
        return MemoryBudget.CURRENT.used() > MemoryBudget.CURRENT.max() / 2;
    }

    private void keep(IntFunction<Object> allocation, int left) {
        usedBefore = MemoryBudget.CURRENT.used();
        Object room = allocation.apply(Math.max(1, left));
        Object[] all = null;
        for (int size = LARGE; size >= SMALL; size /= STEP) {
            all = take(allocation, size, all);
        }
        end = System.nanoTime() + WHILE_NANOS;
        kept = all;
        // The room must not be free before all the rest is taken.
        Reference.reachabilityFence(room);
    }

    private static Object[] take(IntFunction<Object> allocation, int size, Object[] before) {
        Object[] all = before;
        try {
            while (true) {
                all = new Object[] {all, allocation.apply(size)};
            }
        } catch (OutOfMemoryError e) {
            return all;
        }
    }
}
