package dev.sluice.ffm;

import dev.sluice.calls.MemoryBudget;
import dev.sluice.calls.SmallJvm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;

/** A program whose native buffers become unreachable, and are to be freed, while its heap is full. */
final class FullHeapCollection {

    private static final int BUFFERS = 16;
    private static final int BYTES = 64 * 1024;
    private static final int LARGEST = 1 << 20;
    private static final int SMALLEST = 16;
    private static final int SHORT_MILLIS = 1_000;
    private static final int LONG_MILLIS = 30_000;
    private static final int LOOK_MILLIS = 10;

    private static final Object[] HOARD = new Object[400_000];
    private static int hoarded;

    private static final CountDownLatch BEGUN = new CountDownLatch(1);
    private static final CountDownLatch CONTINUED = new CountDownLatch(1);

    private FullHeapCollection() {
    }

    /** Allocates, drops, fills, frees. */
    public static void main(String[] arguments) throws Exception {
        FfmMemory memory = new FfmMemory();
        long before = MemoryBudget.CURRENT.used();
        ByteBuffer[] buffers = new ByteBuffer[BUFFERS];
        Arrays.setAll(buffers, i -> memory.allocateBuffer(BYTES));
        occupyCleanerOfArenas();
        while (BEGUN.getCount() > 0) {
            System.gc();
            Thread.sleep(LOOK_MILLIS);
        }
        Arrays.fill(buffers, null);
        System.gc();
        fill();
        CONTINUED.countDown();
        await(before, SHORT_MILLIS);
        Arrays.fill(HOARD, null);
        await(before, LONG_MILLIS);
        System.out.println(SmallJvm.MARK + "not freed: " + (MemoryBudget.CURRENT.used() - before));
    }

    /** The JDK has one thread that runs the actions of all automatic arenas, one after the other. */
    private static void occupyCleanerOfArenas() {
        MemorySegment.ofAddress(BYTES).reinterpret(1, Arena.ofAuto(), segment -> {
            BEGUN.countDown();
            try {
                CONTINUED.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Takes all memory, to the last few bytes. */
    private static void fill() {
        for (int size = LARGEST; size >= SMALLEST; size /= 2) {
            try {
                while (hoarded < HOARD.length) {
                    HOARD[hoarded] = new byte[size];
                    hoarded++;
                }
            } catch (OutOfMemoryError e) {
                // Smaller ones may find a place.
                continue;
            }
        }
    }

    private static void await(long used, int millis) throws InterruptedException {
        for (int looks = millis / LOOK_MILLIS; looks > 0 && MemoryBudget.CURRENT.used() > used; looks--) {
            Thread.sleep(LOOK_MILLIS);
        }
    }
}
