package dev.sluice.demultiplexer.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Which threads may run the loop, and what happens to the operations that they leave in flight. */
@ParameterizedClass
@EnumSource
@EnabledIfIoUring
@Timeout(60)
class IoUringThreadsTest extends LeakChecked {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    enum Way {
        USUAL,
        PLAIN,
        /** As in a chroot that has no {@code /proc}. */
        WITHOUT_PROCFS
    }

    @Parameter
    private Way way;
    @TempDir
    private Path empty;
    private IoUringDemultiplexer demultiplexer;
    private Completions completions;
    private SocketStream near;
    private SocketStream far;

    @BeforeEach
    void open() throws IOException {
        IoUringSize size = IoUringSize.configured();
        demultiplexer = way == Way.WITHOUT_PROCFS ? new IoUringDemultiplexer(size, false, empty)
                : new IoUringDemultiplexer(size, way == Way.PLAIN);
        completions = demultiplexer.newCompletions(8);
        try (SocketAcceptor acceptor = SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0))) {
            far = SocketConnector.connect(acceptor.localAddress(), PATIENCE);
            near = acceptor.accept(PATIENCE);
        }
    }

    @AfterEach
    void close() {
        demultiplexer.close();
        completions.close();
        near.close();
        far.close();
    }

    private static <T> T inThread(Callable<T> task) throws Exception {
        FutureTask<T> running = new FutureTask<>(task);
        new Thread(running).start();
        return running.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static <T> T inVirtualThread(Callable<T> task) throws Exception {
        FutureTask<T> running = new FutureTask<>(task);
        try {
            Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, running);
        } catch (NoSuchMethodException e) {
            assumeTrue(false, "this virtual machine has no virtual threads");
        }
        return running.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
    }

    private int collect() throws IOException {
        return demultiplexer.awaitCompletions(completions, PATIENCE.toNanos());
    }

    private Operation receive(ByteBuffer room) throws IOException {
        Operation receive = demultiplexer.newOperation();
        receive.receive(demultiplexer.associate(near.handle()), room);
        return receive;
    }

    @Test
    void aVirtualThreadIsRefusedAndAPlatformThreadMayFollow() throws Exception {
        receive(ByteBuffer.allocateDirect(1));
        IllegalStateException refusal = inVirtualThread(() -> assertThrows(IllegalStateException.class,
                () -> demultiplexer.awaitCompletions(completions, 0)));
        assertTrue(refusal.getMessage().contains("platform thread"), refusal.getMessage());
        assertEquals(0, demultiplexer.awaitCompletions(completions, 0));
        far.send(ByteBuffer.allocate(1));
        assertEquals(1, collect());
        assertEquals(1, completions.result(0));
    }

    @Test
    void virtualThreadClosesADemultiplexerThatHasNeverWaited() throws Exception {
        Association where = demultiplexer.associate(near.handle());
        Operation receive = demultiplexer.newOperation();
        receive.receive(where, ByteBuffer.allocateDirect(1));
        Operation close = demultiplexer.newOperation();
        close.close(where);
        inVirtualThread(() -> {
            demultiplexer.close();
            return null;
        });
        assertFalse(receive.isInFlight() || close.isInFlight());
        assertFalse(near.handle().isOpen());
        assertFalse(far.receiveFully(ByteBuffer.allocate(1), PATIENCE), "the descriptor is open");
    }

    @Test
    void aVirtualThreadClosesAfterTheEndOfTheLoopThread() throws Exception {
        Operation receive = receive(ByteBuffer.allocateDirect(1));
        endLoopThread();
        inVirtualThread(() -> {
            demultiplexer.close();
            return null;
        });
        assertFalse(receive.isInFlight());
    }

    private void endLoopThread() throws Exception {
        FutureTask<Integer> wait = new FutureTask<>(() -> demultiplexer.awaitCompletions(completions, 0));
        Thread loop = new Thread(wait);
        loop.start();
        loop.join();
        assertEquals(0, wait.get());
    }

    @Test
    void theLoopRunsAndItsSuccessorCollectsWhatIsLeft() throws Exception {
        Operation receive = receive(ByteBuffer.allocateDirect(1));
        endLoopThread();
        demultiplexer.shutdown();
        assertEquals(1, inThread(this::collect));
        assertEquals(receive, completions.operation(0));
        assertTrue(completions.result(0) < 0);
        assertEquals(0, demultiplexer.inFlight());
    }
}
