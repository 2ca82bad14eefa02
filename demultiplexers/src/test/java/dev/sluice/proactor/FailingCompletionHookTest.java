package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.eventloop.Throw;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.reactor.Connection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FailingCompletionHookTest extends ProactorContract {

    @TempDir
    Path directory;

    private final List<Throwable> failures = new ArrayList<>();
    private final List<Handle> failed = new ArrayList<>();

    @Test
    void handlerReceivesTheExceptionOfItsHook() throws Exception {
        IOException wanted = new IOException("thrown by the test");
        Connection connection = unix();
        AsyncStream stream = async(connection.near());
        recorder.on(OperationType.SEND, completion -> {
            throw wanted;
        });
        stream.send(heap("one"), 1);
        result(1);
        assertEquals(List.of(wanted), recorder.failures());
        assertEquals(List.of(stream.handle()), recorder.failed());
        // It has not been closed, since the hook of the failure has not done it.
        stream.send(heap("two"), 2);
        assertTrue(result(2).isSuccess());
        assertEquals("onetwo", receive(connection, 6));
    }

    @Test
    void otherwiseTheHandleIsClosedAndTheRestCancelled() throws Exception {
        Connection connection = unix();
        List<String> calls = new ArrayList<>();
        AsyncStream stream = new AsyncStream(proactor, connection.near(), new CompletionHandler() {
            @Override
            public void handleCompletion(Completion completion) throws IOException {
                if (completion.type() == OperationType.SEND) {
                    sent(completion);
                } else {
                    received(completion);
                }
            }

            private void received(Completion completion) {
                calls.add(completion.isCancelled() ? "cancelled" : "not cancelled");
            }

            private void sent(Completion completion) throws IOException {
                throw new IOException("thrown by the test");
            }
        });
        stream.receive(ByteBuffer.allocate(1), null);
        stream.receive(ByteBuffer.allocate(1), null);
        stream.send(heap("x"), null);
        runUntil(() -> calls.size() == 2);
        assertEquals(List.of("cancelled", "cancelled"), calls);
        assertFalse(stream.handle().isOpen());
        assertEquals("x", receive(connection, 1));
        assertFalse(connection.far().receiveFully(ByteBuffer.allocate(1), LIMIT));
    }

    @Test
    void othersAreStillServed() throws Exception {
        Connection[] connections = {unix(), unix(), unix()};
        recorder.on(OperationType.RECEIVE, completion -> {
            throw new IllegalStateException("thrown by the test");
        });
        for (Connection connection : connections) {
            async(connection.near()).receive(ByteBuffer.allocate(1), connection);
            connection.send("x");
        }
        runUntil(() -> recorder.over() == 3);
        assertEquals(3, recorder.failures().size());
    }

    @Test
    void aContinuousReceiveContinuesAfterAFailureOfItsHook() throws Exception {
        Connection connection = unix();
        recorder.on(OperationType.RECEIVE_CONTINUOUSLY, completion -> {
            throw new IllegalStateException("thrown by the test");
        });
        async(connection.near()).receiveContinuously("all");
        for (int i = 1; i <= 100; i++) {
            int expected = i;
            connection.send("x");
            runUntil(() -> recorder.results().size() == expected);
        }
        connection.far().close();
        assertTrue(result("all").end());
    }

    @ParameterizedTest
    @EnumSource
    void whateverIsThrownEndsItsHandlerAlone(Throw what) throws Exception {
        Connection connection = unix();
        recorder.on(OperationType.RECEIVE, completion -> what.run()).onTimeout(nothing -> what.run());
        AsyncStream stream = async(connection.near());
        stream.receive(ByteBuffer.allocate(1), "fails");
        connection.send("x");
        runUntil(() -> recorder.failures().size() == 1);
        assertSame(what.thrown(), recorder.failures().get(0));
        proactor.schedule(recorder, null, Duration.ZERO);
        runUntil(() -> recorder.failures().size() == 2);
        assertSame(what.thrown(), recorder.failures().get(1));
        proactor.execute(what::run);
        proactor.schedule(token -> what.run(), null, Duration.ZERO);
        proactor.post(recorder, "and goes on", 0);
        result("and goes on");
        stream.send(heap("y"), "sent");
        result("sent");
        assertEquals("y", receive(connection, 1));
    }

    @ParameterizedTest
    @EnumSource
    void aHookForFailuresThatFailsHasTheHandleClosed(Throw what) throws Exception {
        Connection connection = unix();
        AsyncStream stream = new AsyncStream(proactor, connection.near(), new CompletionHandler() {
            @Override
            public void handleCompletion(Completion completion) {
                what.run();
            }

            @Override
            public void handleFailure(Handle handle, Throwable cause) {
                what.run();
            }
        });
        stream.receive(ByteBuffer.allocate(1), null);
        connection.send("x");
        runUntil(() -> !stream.handle().isOpen());
        proactor.post(recorder, "and goes on", 0);
        result("and goes on");
    }

    @Test
    void whatAFailingHookHasNotTakenIsClosed() throws Exception {
        SocketAcceptor acceptor = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        List<Throwable> failures = new ArrayList<>();
        CompletionHandler failing = new CompletionHandler() {
            @Override
            public void handleCompletion(Completion completion) {
                throw new IllegalStateException("thrown by the test");
            }

            @Override
            public void handleFailure(Handle handle, Throwable cause) {
                failures.add(cause);
            }
        };
        new AsyncAcceptor(proactor, acceptor, failing).accept(null);
        proactor.connect(failing, null, acceptor.localAddress(), LIMIT);
        proactor.openFile(failing, null, directory.resolve("file"), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        runUntil(() -> failures.size() == 3);
        // Descriptors are counted after the test. The peers see it, too.
        assertTrue(acceptor.handle().isOpen());
        own(SocketConnector.connect(acceptor.localAddress(), LIMIT));
    }
}
