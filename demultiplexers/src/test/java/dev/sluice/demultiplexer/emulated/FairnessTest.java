package dev.sluice.demultiplexer.emulated;

import static dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer.FOREVER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.epoll.EpollDemultiplexer;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A connection that always has more to do takes no more than its share of the attempts, and no iteration takes long.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class FairnessTest extends LeakChecked {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int OTHERS = 20;
    private static final int MUCH = 16 << 20;
    private static final int PIECE = 64 * 1024;
    private static final int READS = 8;

    private SocketAcceptor acceptor;

    @BeforeEach
    void listen() throws IOException {
        acceptor = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
    }

    /** A connection, by the end that is to be associated; the other end has sent the given number of bytes already. */
    private SocketStream connectionWith(int bytes) throws IOException {
        SocketStream far = own(SocketConnector.connect(acceptor.localAddress(), PATIENCE));
        far.send(ByteBuffer.allocate(bytes));
        return own(acceptor.accept(PATIENCE));
    }

    /** One thread, which collects one completion at a time, as the threads of a concurrent proactor do. */
    @Test
    void readyHandlesAreServedWhileTheOperationsOfAnotherCompleteAtOnce() throws Exception {
        AsynchronousEventDemultiplexer emulation = own(new MultiThreadedEmulatedDemultiplexer(
                new EpollDemultiplexer("epoll-one-shot", Trigger.ONE_SHOT), ProvidedBuffers.Size.DEFAULT,
                FilePool.DEFAULT_MAX));
        Completions single = own(emulation.newCompletions(1));
        Association always = emulation.associate(connectionWith(0).handle());
        Operation again = emulation.newOperation();
        again.send(always, ByteBuffer.allocate(1), true);
        for (int i = 0; i < OTHERS; i++) {
            Association other = emulation.associate(connectionWith(1).handle());
            emulation.newOperation().receive(other, ByteBuffer.allocate(1));
        }
        int sent = 0;
        int received = 0;
        while (received < OTHERS) {
            assertEquals(1, emulation.awaitCompletions(single, FOREVER));
            assertEquals(1, single.result(0));
            if (single.operation(0) == again) {
                sent++;
                again.send(always, ByteBuffer.allocate(1), true);
            } else {
                received++;
            }
        }
        assertTrue(sent <= 3 * OTHERS, "it has sent " + sent + " times meanwhile");
    }

    /** Also if they are short, so that several iterations pass without a poll of the system. */
    @ParameterizedTest
    @ValueSource(ints = {100, 4096, 64 * 1024, 256 * 1024})
    void socketIsServedWhileReadsFromTheCacheGoOn(int length, @TempDir Path directory) throws Exception {
        AsynchronousEventDemultiplexer emulation = own(new EmulatedDemultiplexer(
                new EpollDemultiplexer("epoll", Trigger.LEVEL), ProvidedBuffers.Size.DEFAULT, FilePool.DEFAULT_MAX));
        Completions batch = own(emulation.newCompletions(64));
        FileHandle file = own(FileHandle.open(Files.write(directory.resolve("file"), new byte[length])));
        Association from = emulation.associate(file.handle());
        Map<Operation, ByteBuffer> reads = new HashMap<>();
        for (int i = 0; i < READS; i++) {
            reads.put(emulation.newOperation(), ByteBuffer.allocateDirect(length));
        }
        reads.forEach((read, buffer) -> read.read(from, buffer, 0));
        Operation receive = emulation.newOperation();
        receive.receive(emulation.associate(connectionWith(1).handle()), ByteBuffer.allocate(1));
        int completed = 0;
        while (receive.isInFlight()) {
            emulation.awaitCompletions(batch, FOREVER);
            for (int i = 0; i < batch.size(); i++) {
                ByteBuffer buffer = reads.get(batch.operation(i));
                if (buffer != null) {
                    assertEquals(length, batch.result(i));
                    completed++;
                    batch.operation(i).read(from, buffer.clear(), 0);
                }
            }
        }
        assertTrue(completed <= 10 * READS, completed + " reads have completed meanwhile");
    }

    @Test
    void noTurnReceivesMoreThanALargeBufferHolds() throws Exception {
        AsynchronousEventDemultiplexer emulation = own(new EmulatedDemultiplexer(
                new EpollDemultiplexer("epoll", Trigger.LEVEL), ProvidedBuffers.Size.DEFAULT, FilePool.DEFAULT_MAX));
        Completions batch = own(emulation.newCompletions(64));
        SocketStream far = own(SocketConnector.connect(acceptor.localAddress(), PATIENCE));
        SocketStream near = own(acceptor.accept(PATIENCE));
        emulation.newOperation().receiveContinuously(emulation.associate(near.handle()));
        int large = ProvidedBuffers.Size.DEFAULT.large().bytes();
        ByteBuffer piece = ByteBuffer.allocate(PIECE);
        int longest = 0;
        for (int received = 0; received < MUCH; ) {
            int sent;
            do {
                sent = far.send(piece.clear());
            } while (sent > 0);
            emulation.awaitCompletions(batch, FOREVER);
            int quantum = 0;
            for (int i = 0; i < batch.size(); i++) {
                quantum += (int) batch.result(i);
            }
            received += quantum;
            longest = Math.max(longest, quantum);
        }
        assertTrue(longest > large / 2, "it never had much to receive: " + longest);
        assertTrue(longest <= 2 * large, "it received " + longest + " in one quantum");
    }
}
