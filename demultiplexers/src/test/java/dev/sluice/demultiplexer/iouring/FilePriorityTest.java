package dev.sluice.demultiplexer.iouring;

import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_FSYNC;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READ;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_READV;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_WRITE;
import static dev.sluice.calls.layout.IoUringConstants.IORING_OP_WRITEV;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.LeakChecked;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The priority of a file becomes that of the kernel's reads and writes, which accepts it. */
@EnabledIfIoUring
@Timeout(60)
class FilePriorityTest extends LeakChecked {

    private static final int BEST_EFFORT = 2 << 13;
    private static final int IDLE = 3 << 13;

    @TempDir
    private Path directory;

    /** Level 4 of the best-effort class is what a thread has by default, level 0 is the most urgent. */
    @ParameterizedTest
    @CsvSource({"0, 0, 0", "2, 1, 3", "2, 4, 0", "2, 5, 0", "2, 2147483647, 0", "2, -1, 5", "2, -3, 7", "3, -4, 0",
        "3, -2147483648, 0"})
    void isThatOfReadsAndWrites(int kernelClass, int priority, int level) throws IOException {
        int expected = switch (kernelClass) {
            case 2 -> BEST_EFFORT | level;
            case 3 -> IDLE | level;
            default -> 0;
        };
        try (RewrittenCompletions requests = RewrittenCompletions.install();
                IoUringDemultiplexer demultiplexer = new IoUringDemultiplexer(
                        new IoUringSize(64, 128, ProvidedBuffers.Size.DEFAULT, IoUringSize.NEVER), false);
                Completions completions = demultiplexer.newCompletions(1);
                FileHandle file = FileHandle.open(directory.resolve("file"), StandardOpenOption.CREATE,
                        StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DSYNC)) {
            Association where = demultiplexer.associate(file.handle());
            where.prioritize(priority);
            ByteBuffer[] two = {ByteBuffer.allocateDirect(1), ByteBuffer.allocateDirect(1)};
            assertEquals(2, result(demultiplexer, completions, o -> o.write(where, ByteBuffer.allocateDirect(2), 0)));
            assertEquals(expected, requests.latestPriority(IORING_OP_WRITE));
            assertEquals(2, result(demultiplexer, completions, o -> o.write(where, two, 0, 2, 0)));
            assertEquals(expected, requests.latestPriority(IORING_OP_WRITEV));
            assertEquals(2, result(demultiplexer, completions, o -> o.read(where, ByteBuffer.allocateDirect(2), 0)));
            assertEquals(expected, requests.latestPriority(IORING_OP_READ));
            two[0].clear();
            two[1].clear();
            assertEquals(2, result(demultiplexer, completions, o -> o.read(where, two, 0, 2, 0)));
            assertEquals(expected, requests.latestPriority(IORING_OP_READV));
            assertEquals(0, result(demultiplexer, completions, o -> o.force(where)));
            assertEquals(0, requests.latestPriority(IORING_OP_FSYNC));
        }
    }

    private static long result(IoUringDemultiplexer demultiplexer, Completions completions, Consumer<Operation> start)
            throws IOException {
        start.accept(demultiplexer.newOperation());
        assertEquals(1, demultiplexer.awaitCompletions(completions, TimeUnit.SECONDS.toNanos(30)));
        return completions.result(0);
    }
}
