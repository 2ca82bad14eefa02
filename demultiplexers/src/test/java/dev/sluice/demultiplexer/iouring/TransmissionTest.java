package dev.sluice.demultiplexer.iouring;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The way of a large file to a socket where a pipe cannot be had. */
@EnabledIfIoUring
@Timeout(60)
class TransmissionTest extends LeakChecked {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int MUCH = 1_000_000;

    @ParameterizedTest
    @EnumSource(names = {"EMFILE", "ENFILE", "ENOMEM"})
    void aFileNeedsNoPipe(Errno shortage, @TempDir Path directory) throws Exception {
        byte[] content = Bytes.random(MUCH);
        FileHandle file = own(FileHandle.open(Files.write(directory.resolve("file"), content)));
        SocketAcceptor acceptor = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        SocketStream far = own(SocketConnector.connect(acceptor.localAddress(), PATIENCE));
        SocketStream near = own(acceptor.accept(PATIENCE));
        try (FaultInjection faults = FaultInjection.install();
                IoUringDemultiplexer demultiplexer = new IoUringDemultiplexer();
                Completions completions = demultiplexer.newCompletions(1)) {
            // What the cache has needs no pipe either.
            faults.failEach("pipe2", shortage).failEach("preadv2", Errno.EAGAIN);
            demultiplexer.newOperation().transmitFile(demultiplexer.associate(near.handle()), file, 0, MUCH, null,
                    null);
            FutureTask<byte[]> receiver = new FutureTask<>(receiving(far));
            new Thread(receiver).start();
            assertEquals(1, demultiplexer.awaitCompletions(completions, PATIENCE.toNanos()));
            assertEquals(MUCH, completions.result(0));
            assertBytes(content, receiver.get());
            assertTrue(faults.calls("pipe2") > 0);
        }
    }

    private static Callable<byte[]> receiving(SocketStream stream) {
        return () -> {
            ByteBuffer received = ByteBuffer.allocate(MUCH);
            stream.receiveFully(received, PATIENCE);
            return received.array();
        };
    }
}
