package dev.sluice.files;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A batch allocates nothing for an operation once it has been compiled, on its own thread and on that of the loop. */
@Tag(Depth.OPTIMIZED)
class BatchAllocationTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int OPERATIONS = 16;
    private static final int BATCHES = 2_000;
    /** The list of the loop's tasks grows now and then. */
    private static final double BYTES_PER_OPERATION = 0.5;

    @TempDir
    Path directory;

    @Test
    void batchAllocatesNothing() throws IOException {
        Path path = Files.write(directory.resolve("pages"), new byte[4096]);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (FileLoop loop = FileLoop.open(); LoopFile file = loop.openFile(path)) {
            FileBatch batch = new FileBatch(loop, OPERATIONS);
            long[] ids = {Thread.currentThread().getId(), Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("sluice-files")).findFirst().orElseThrow().getId()};
            ByteBuffer[] pages = Stream.generate(() -> ByteBuffer.allocateDirect(512)).limit(OPERATIONS)
                    .toArray(ByteBuffer[]::new);
            double perOperation = Double.MAX_VALUE;
            long begin = System.nanoTime();
            // Which batches are compiled code is the compiler's affair, so the measurement is repeated until they are.
            while (perOperation > BYTES_PER_OPERATION && System.nanoTime() - begin < LIMIT.toNanos()) {
                long before = allocated(threads, ids);
                for (int round = 0; round < BATCHES; round++) {
                    for (int i = 0; i < OPERATIONS; i++) {
                        batch.read(file, pages[i].clear(), 0);
                    }
                    batch.await();
                }
                perOperation = (double) (allocated(threads, ids) - before) / BATCHES / OPERATIONS;
            }
            assertTrue(perOperation <= BYTES_PER_OPERATION, perOperation + " bytes for each operation");
        }
    }

    private static long allocated(ThreadMXBean threads, long[] ids) {
        return LongStream.of(threads.getThreadAllocatedBytes(ids)).sum();
    }
}
