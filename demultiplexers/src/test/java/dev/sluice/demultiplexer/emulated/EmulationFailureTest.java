package dev.sluice.demultiplexer.emulated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** A call throws in the midst of many: its operation fails, a wait throws that, and all others go on. */
@ParameterizedClass
@ValueSource(strings = {"epoll", "epoll-one-shot"})
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class EmulationFailureTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int CONNECTIONS = 4;

    private final RuntimeException failure = new IllegalArgumentException("injected");
    private final List<SocketStream> near = new ArrayList<>();
    private final List<SocketStream> far = new ArrayList<>();

    @Parameter
    private String name;
    private FaultInjection faults;
    private AsynchronousEventDemultiplexer emulation;
    private Completions completions;
    private SocketAcceptor acceptor;

    @BeforeEach
    void open() throws IOException {
        faults = FaultInjection.install();
        emulation = OpenedDemultiplexers.openAsynchronous(name);
        completions = emulation.newCompletions(2 * CONNECTIONS);
        acceptor = SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0));
        for (int i = 0; i < CONNECTIONS; i++) {
            far.add(SocketConnector.connect(acceptor.localAddress(), PATIENCE));
            near.add(acceptor.accept(PATIENCE));
        }
    }

    @AfterEach
    void close() {
        faults.close();
        emulation.close();
        assertEquals(0, emulation.inFlight());
        completions.close();
        near.forEach(SocketStream::close);
        far.forEach(SocketStream::close);
        acceptor.close();
    }

    private void assertThrownByAWait() {
        assertSame(failure, assertThrows(Throwable.class, () -> {
            while (emulation.inFlight() > 0) {
                emulation.awaitCompletions(completions, PATIENCE.toNanos());
            }
        }));
    }

    /** {@return the results of all that is in flight, in the order in which it completes} */
    private List<Long> results() throws IOException {
        List<Long> results = new ArrayList<>();
        while (emulation.inFlight() > 0) {
            assertTrue(emulation.awaitCompletions(completions, PATIENCE.toNanos()) > 0, "nothing comes");
            for (int i = 0; i < completions.size(); i++) {
                results.add(completions.result(i));
            }
        }
        return results;
    }

    private void assertFailsOnce() throws IOException {
        assertThrownByAWait();
        assertEquals(List.of((long) -Errno.EIO.number()), results());
    }

    private Association associate(int index) throws IOException {
        return emulation.associate(near.get(index).handle());
    }

    private static ByteBuffer newBatch() {
        return ByteBuffer.allocateDirect(10);
    }

    @Test
    void oneOfSeveralReadyHandlesFails() throws IOException {
        for (int i = 0; i < CONNECTIONS; i++) {
            emulation.newOperation().receive(associate(i), newBatch());
        }
        assertEquals(0, emulation.awaitCompletions(completions, 0));
        for (SocketStream each : far) {
            each.send(ByteBuffer.allocate(3));
        }
        faults.throwNth("recv", 2, failure);
        assertThrownByAWait();
        List<Long> results = results();
        assertEquals(CONNECTIONS, results.size());
        assertTrue(results.remove((long) -Errno.EIO.number()), results::toString);
        assertEquals(List.of(3L, 3L, 3L), results);
    }

    @Test
    void aHandleContinuesAfterAFailure() throws IOException {
        Association where = associate(0);
        for (int i = 0; i < 3; i++) {
            Operation receive = emulation.newOperation();
            receive.receiveContinuously(where);
            assertEquals(0, emulation.awaitCompletions(completions, 0));
            faults.throwNth("recv", 1, failure);
            far.get(0).send(ByteBuffer.allocate(3));
            assertFailsOnce();
            receive.receive(where, newBatch());
            assertEquals(List.of(3L), results());
        }
    }

    @Test
    void aSendFailsThatIsBegunAmongOthers() throws IOException {
        faults.throwNth("send", 2, failure);
        for (int i = 0; i < CONNECTIONS; i++) {
            emulation.newOperation().send(associate(i), ByteBuffer.allocateDirect(3), true);
        }
        assertThrownByAWait();
        assertEquals(List.of(3L, (long) -Errno.EIO.number(), 3L, 3L), results());
    }

    @Test
    void waitingForReadinessFails() throws IOException {
        Association where = associate(0);
        faults.throwNth("epoll_ctl", 1, failure);
        Operation receive = emulation.newOperation();
        receive.receive(where, newBatch());
        assertFailsOnce();
        receive.receive(where, newBatch());
        far.get(0).send(ByteBuffer.allocate(3));
        assertEquals(List.of(3L), results());
    }

    /** Also what takes the change back is refused then. */
    @Test
    void ofASystemThatRefusesEveryChangeOnlyTheOperationHearsThatNeedsOne() throws IOException {
        Association where = associate(0);
        Operation receive = emulation.newOperation();
        receive.receive(where, newBatch());
        assertEquals(0, emulation.awaitCompletions(completions, 0));
        faults.failEach("epoll_ctl", Errno.ENOMEM);
        emulation.newOperation().poll(where, EventType.EXCEPTION);
        assertEquals(1, emulation.awaitCompletions(completions, PATIENCE.toNanos()));
        assertEquals(-Errno.ENOMEM.number(), completions.result(0));
        far.get(0).send(ByteBuffer.allocate(3));
        assertEquals(List.of(3L), results());
        faults.heal();
        receive.receive(where, newBatch());
        far.get(0).send(ByteBuffer.allocate(2));
        assertEquals(List.of(2L), results());
    }

    /** No other operation would close it, and a close of the demultiplexer would wait for that. */
    @Test
    void closeClosesAHandleThatTheSetCannotRelease() throws IOException {
        Association where = associate(0);
        emulation.newOperation().receive(where, newBatch());
        far.get(0).send(ByteBuffer.allocate(3));
        assertEquals(List.of(3L), results());
        faults.throwNth("epoll_ctl", 1, failure);
        emulation.newOperation().close(where);
        List<Long> results = new ArrayList<>();
        while (emulation.inFlight() > 0) {
            try {
                results.addAll(results());
            } catch (IllegalArgumentException e) {
                assertSame(failure, e);
            }
        }
        assertEquals(List.of(0L), results);
        assertFalse(near.get(0).handle().isOpen());
    }

    @Test
    void anAcceptFails() throws IOException {
        Operation accept = emulation.newOperation();
        accept.acceptContinuously(emulation.associate(acceptor.handle()), acceptor);
        assertEquals(0, emulation.awaitCompletions(completions, 0));
        faults.throwNth("accept4", 1, failure);
        far.add(SocketConnector.connect(acceptor.localAddress(), PATIENCE));
        assertFailsOnce();
    }

    @Test
    void aThreadForFilesSurvives(@TempDir Path directory) throws IOException {
        try (FileHandle file = FileHandle.open(Files.write(directory.resolve("file"), new byte[3]))) {
            Association where = emulation.associate(file.handle());
            Operation read = emulation.newOperation();
            faults.failEach("preadv2", Errno.EAGAIN);
            for (int i = 0; i < 10; i++) {
                faults.throwNth("pread", 1, failure);
                read.read(where, newBatch(), 0);
                assertFailsOnce();
            }
            read.read(where, newBatch(), 0);
            assertEquals(List.of(3L), results());
        }
    }

    /** The start is counted, so the operation must not be taken for one that has never been started. */
    @Test
    void aSignalThatCannotBeGivenFailsNoStart() throws Exception {
        Operation post = emulation.newOperation();
        Thread starter = new Thread(() -> {
            Operation inTheWay = emulation.newOperation();
            inTheWay.timeout(PATIENCE.toNanos());
            // The first write is the one that wakes the waiter up for it.
            faults.throwNth("write", 1, failure);
            post.post(1);
            assertTrue(post.isInFlight());
            emulation.wakeUp();
            inTheWay.cancel();
        });
        faults.beforeNth("epoll_wait", 2, starter::start);
        assertEquals(0, emulation.awaitCompletions(completions, 0));
        boolean thrown = false;
        while (emulation.inFlight() > 0 || starter.isAlive()) {
            try {
                emulation.awaitCompletions(completions, PATIENCE.toNanos());
            } catch (IllegalArgumentException e) {
                assertSame(failure, e);
                thrown = true;
            }
        }
        starter.join();
        assertFalse(post.isInFlight());
        assertTrue(thrown || faults.calls("write") > 0);
    }
}
