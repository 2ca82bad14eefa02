package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Platform;
import dev.sluice.handle.MemoryInUse;
import dev.sluice.handle.OpenDescriptors;
import dev.sluice.handle.RunningThreads;
import dev.sluice.testing.Pause;
import java.io.IOException;

/**
 * The resources that the process uses.
 *
 * @param descriptors the open descriptors
 * @param threads     the running threads
 * @param bytes       the native memory in use
 */
record Inventory(OpenDescriptors descriptors, RunningThreads threads, long bytes) {

    static Inventory take() throws IOException {
        return new Inventory(OpenDescriptors.now(), RunningThreads.now(), MemoryInUse.bytes());
    }

    /**
     * {@return the resources in use, after waiting for those to be released that are released in the background: by
     * libkqueue, and by Windows for ended threads}
     */
    static Inventory settled(Inventory before) throws IOException {
        Inventory now = new Inventory(OpenDescriptors.glance(), RunningThreads.now(), MemoryInUse.bytes());
        if (now.leakedSince(before).isEmpty() && before.lackedBy(now).isEmpty()) {
            return now;
        }
        now = take();
        boolean isClosedByItself = Libkqueue.isUsed() || Platform.CURRENT.os() == Platform.Os.WINDOWS;
        long start = System.nanoTime();
        Pause pause = new Pause();
        while (isClosedByItself && !now.leakedSince(before).isEmpty()
                && System.nanoTime() - start < DemultiplexerContract.PATIENCE.toNanos()) {
            pause.next();
            now = take();
        }
        return now;
    }

    private String leakedSince(Inventory before) {
        return descriptors.exceptFiles().without(before.descriptors.exceptFiles());
    }

    private String lackedBy(Inventory now) {
        return descriptors.exceptFiles().lackedBy(now.descriptors.exceptFiles());
    }

    /**
     * Compares with an earlier inventory, except files. Less memory may be in use, because a demultiplexer may end in
     * the background.
     */
    void assertNoMoreThan(Inventory before) {
        assertEquals("", leakedSince(before), "descriptors leaked");
        assertEquals("", before.lackedBy(this), "descriptors closed that are not the test's own");
        assertTrue(bytes <= before.bytes, () -> bytes - before.bytes + " bytes of memory leaked");
    }
}
