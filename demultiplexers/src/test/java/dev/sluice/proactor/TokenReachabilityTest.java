package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.WaitFunctions;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.reactor.Connection;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A closed proactor, and the objects whose operations it ran, keep neither tokens nor futures of these operations
 * reachable.
 */
class TokenReachabilityTest extends ProactorContract {

    private static final CompletionHandler SILENT = new CompletionHandler() {
        @Override
        public void handleCompletion(Completion completion) {
            // It is there, which will do.
        }
    };

    private final List<WeakReference<Object>> tokens = new ArrayList<>();

    private Object token() {
        Object token = new Object();
        tokens.add(new WeakReference<>(token));
        return token;
    }

    private long reachable() {
        return tokens.stream().filter(token -> token.get() != null).count();
    }

    private void assertNoneIsReachable(Object... held) {
        OtherThread.await(() -> {
            System.gc();
            return reachable() == 0;
        });
        Reference.reachabilityFence(held);
    }

    @Test
    void ofWhatIsInFlightAtTheClose() throws Exception {
        assertNoneIsReachable(proactor, startAndClose());
    }

    private List<Object> startAndClose() throws IOException {
        List<Object> held = start();
        proactor.close();
        return held;
    }

    private List<Object> start() throws IOException {
        Connection connection = tcp();
        AsyncStream near = new AsyncStream(proactor, connection.near(), SILENT);
        AsyncStream far = new AsyncStream(proactor, connection.far(), SILENT);
        near.receive(ByteBuffer.allocateDirect(1), token());
        near.poll(Interest.READ, token());
        tokens.add(new WeakReference<>(far.receiveFuture(ByteBuffer.allocateDirect(1))));
        proactor.runOnce(Duration.ZERO);
        // The next wait only would give it to the system.
        near.receive(ByteBuffer.allocateDirect(1), token());
        return List.of(near, far);
    }

    /** Nothing comes after it that would take its place. */
    @Test
    void ofTheLastCompletion() throws Exception {
        proactor.post(SILENT, token(), 1);
        runUntilIdle();
        proactor.post(SILENT, token(), 1);
        proactor.close();
        assertNoneIsReachable(proactor);
    }

    // The memory of calls whose packets cannot be had is lost, as Windows may still write to it.
    @Tag(CalledSystem.NOT_WINDOWS)
    @Test
    void ofOperationsInFlightWhenWaitsFail() throws Exception {
        try (FaultInjection faults = FaultInjection.install()) {
            Proactor opened = own(Proactor.open(demultiplexer));
            proactor.close();
            proactor = opened;
            List<Object> held = start();
            faults.failEach(WaitFunctions.waiting(demultiplexer), Errno.ENOMEM);
            assertThrows(IOException.class, opened::run);
            assertNoneIsReachable(opened, held);
        }
    }

    /** An accepted connection that its handler has closed, too. */
    @Test
    void ofWhatACompletionHasBrought() throws Exception {
        SocketAcceptor acceptor = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
        AsyncAcceptor accepting = new AsyncAcceptor(proactor, acceptor, new CompletionHandler() {
            @Override
            public void handleCompletion(Completion completion) {
                if (completion.isSuccess()) {
                    tokens.add(new WeakReference<>(completion.stream()));
                    completion.stream().close();
                }
            }
        });
        accepting.accept(token());
        own(SocketConnector.connect(acceptor.localAddress(), LIMIT));
        runUntil(() -> tokens.size() == 2);
        proactor.close();
        assertNoneIsReachable(proactor, accepting);
    }
}
