package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.reactor.Connection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a head and a tail cost besides the segments that the file takes: none, if they join it. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class TransmittedSegmentsTest extends LeakChecked {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** An option of TCP, what it fills in, and where in that {@code tcpi_data_segs_out} is. */
    private static final int TCP_INFO = 11;
    private static final int TCP_INFO_SIZE = 160;
    private static final int DATA_SEGMENTS_SENT = 156;
    /** By then the peer's window is as wide as it gets, and the segments are as long. */
    private static final int ATTEMPTS = 20;
    /** What waits for more is sent without it after 200 ms, and this thread may be held up for longer. */
    private static final int MAX_ATTEMPTS = 100;

    @ParameterizedTest
    @CsvSource({
        // file, head, tail
        "io_uring, 30000, 200, 0",
        "io_uring, 30000, 200, 100",
        "io_uring, 80000, 200, 100",
        "epoll, 30000, 200, 0",
        "epoll, 80000, 200, 0",
        "epoll-one-shot, 30000, 200, 0",
        "poll, 30000, 200, 0",
    })
    void areThoseOfTheFile(String name, int size, int head, int tail, @TempDir Path directory) throws Exception {
        assumeTrue(Mechanism.available().stream()
                .anyMatch(factory -> factory.name().equals(name) && factory.availability().usable()), "no " + name);
        FileHandle file = own(FileHandle.open(Files.write(directory.resolve("file"), new byte[size])));
        Proactor proactor = own(Proactor.open(name));
        Connection connection = own(Connection.tcp());
        AsyncStream stream = new AsyncStream(proactor, connection.near());
        int alone = Integer.MAX_VALUE;
        int around = Integer.MAX_VALUE;
        for (int i = 0; i < ATTEMPTS || i < MAX_ATTEMPTS && around != alone; i++) {
            alone = Math.min(alone, segments(proactor, stream, connection.far(), file, size, 0, 0));
            around = Math.min(around, segments(proactor, stream, connection.far(), file, size, head, tail));
        }
        assertEquals(alone, around, "segments");
    }

    private static int segments(Proactor proactor, AsyncStream stream, SocketStream far, FileHandle file, int size,
            int head, int tail) throws Exception {
        int before = segmentsSent(stream.stream());
        CompletableFuture<Long> future = stream.transmitFileFuture(file, 0, size, ByteBuffer.allocateDirect(head),
                ByteBuffer.allocate(tail));
        while (!future.isDone()) {
            proactor.runOnce();
        }
        assertEquals(head + size + tail, future.get());
        assertTrue(far.receiveFully(ByteBuffer.allocate(head + size + tail), PATIENCE));
        return segmentsSent(stream.stream()) - before;
    }

    private static int segmentsSent(SocketStream stream) throws IOException {
        try (MemoryBlock info = Bindings.current().memory().allocate(TCP_INFO_SIZE + Integer.BYTES)) {
            info.buffer().putInt(TCP_INFO_SIZE, TCP_INFO_SIZE);
            long descriptor = Descriptors.of(stream.handle()).acquire();
            try {
                assertEquals(0, Bindings.current().posix().getsockopt((int) descriptor, SocketConstants.IPPROTO_TCP,
                        TCP_INFO, info.address(), info.address() + TCP_INFO_SIZE));
            } finally {
                Descriptors.of(stream.handle()).release();
            }
            return info.buffer().getInt(DATA_SEGMENTS_SENT);
        }
    }
}
