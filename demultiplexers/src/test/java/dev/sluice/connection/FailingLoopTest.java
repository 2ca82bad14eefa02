package dev.sluice.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Intercepted;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.Throw;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.proactor.AsyncAcceptor;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.CompletionHandler;
import dev.sluice.proactor.Proactor;
import dev.sluice.proactor.ProactorContract;
import dev.sluice.proactor.ProactorGroup;
import dev.sluice.proactor.Proactors;
import dev.sluice.timer.TimerQueue;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers of which a handler throws, or a loop fails: all connections that come later are served. */
class FailingLoopTest extends ProactorContract {

    private static final int LATER = 20;

    private SocketAcceptor socket;

    @BeforeEach
    void listen() throws IOException {
        socket = own(SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0)));
    }

    /** Sends each byte back, and throws for a '!'. */
    private static final class Echo implements CompletionHandler {

        private final AsyncStream stream;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(1);
        private final Throw what;

        Echo(AsyncStream stream, Throw what) {
            this.stream = stream.withHandler(this);
            this.what = what;
            this.stream.receive(buffer, null);
        }

        @Override
        public void handleCompletion(Completion completion) {
            if (completion.type() == OperationType.SEND) {
                sent(completion);
            } else {
                received(completion);
            }
        }

        private void received(Completion completion) {
            if (!completion.isSuccess() || completion.isEndOfStream()) {
                stream.close();
            } else if (buffer.get(0) == '!') {
                what.run();
            } else {
                stream.send(buffer.flip(), null);
            }
        }

        private void sent(Completion completion) {
            stream.receive(buffer.clear(), null);
        }
    }

    private SocketStream connect() throws IOException {
        return SocketConnector.connect(socket.localAddress(), LIMIT);
    }

    private void assertServed(int connections) throws IOException {
        for (int i = 0; i < connections; i++) {
            try (SocketStream client = connect()) {
                client.sendFully(ByteBuffer.wrap(new byte[] {'x'}), LIMIT);
                ByteBuffer answer = ByteBuffer.allocate(1);
                assertTrue(client.receiveFully(answer, LIMIT));
                assertEquals('x', answer.get(0));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aHookThatThrowsEndsItsConnectionAlone(Throw what) throws Exception {
        try (ProactorGroup group = Proactors.group(demultiplexer, 2)) {
            List<Proactor> proactors = group.loops();
            AsyncAcceptor.listen(proactors, socket, new ListenOptions(), stream -> new Echo(stream, what));
            for (int i = 0; i < 2; i++) {
                try (SocketStream unlucky = connect()) {
                    unlucky.sendFully(ByteBuffer.wrap(new byte[] {'!'}), LIMIT);
                    assertFalse(unlucky.receiveFully(ByteBuffer.allocate(1), LIMIT));
                }
            }
            assertServed(LATER);
            proactors.forEach(proactor -> assertTrue(proactor.isOpen()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aServiceThatThrowsEndsItsConnectionAlone(Throw what) throws Exception {
        AtomicBoolean lucky = new AtomicBoolean();
        try (ProactorGroup group = Proactors.group(demultiplexer, 2)) {
            AsyncAcceptor.listen(group.loops(), socket, new ListenOptions(), stream -> {
                if (!lucky.get()) {
                    what.run();
                }
                new Echo(stream, what);
            });
            for (int i = 0; i < 2; i++) {
                try (SocketStream unlucky = connect()) {
                    assertFalse(unlucky.receiveFully(ByteBuffer.allocate(1), LIMIT));
                }
            }
            lucky.set(true);
            assertServed(LATER);
        }
    }

    /** A proactor whose next wait fails when there is something to throw. */
    private Proactor failing(AtomicReference<Throwable> failure) throws IOException {
        AsynchronousEventDemultiplexer real = OpenedDemultiplexers.openAsynchronous(demultiplexer);
        return own(Proactors.on(Intercepted.before(AsynchronousEventDemultiplexer.class, real, "awaitCompletions",
                () -> {
                    Throwable thrown = failure.getAndSet(null);
                    if (thrown != null) {
                        throw thrown;
                    }
                }), TimerQueue.heap()));
    }

    @Test
    void aLoopWhoseWaitFailsIsClosedAndGetsNoMoreConnections() throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        IOException wanted = new IOException("thrown by the test");
        Proactor dying = failing(failure);
        OtherThread<Throwable> end = OtherThread.start(() -> {
            try {
                dying.run();
                return null;
            } catch (Throwable e) {
                return e;
            }
        });
        runInBackground();
        AsyncAcceptor.listen(List.of(proactor, dying), socket, new ListenOptions(),
                stream -> new Echo(stream, Throw.SNEAKY));
        assertServed(3);
        CountDownLatch handedOut = new CountDownLatch(1);
        dying.execute(() -> {
            OtherThread.await(handedOut);
            failure.set(wanted);
        });
        // Its turn comes while it cannot know yet that it will fail.
        try (SocketStream backlog = connect()) {
            assertServed(1);
            handedOut.countDown();
            assertFalse(backlog.receiveFully(ByteBuffer.allocate(1), LIMIT));
        }
        assertSame(wanted, end.result());
        assertFalse(dying.isOpen());
        assertThrows(IllegalStateException.class, dying::run);
        assertServed(LATER);
    }

    /** An error of the loop itself, and not of a hook. A lack of memory is waited out. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OUT_OF_MEMORY")
    void whateverAWaitThrowsClosesTheLoop(Throw what) throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Proactor dying = failing(failure);
        Throwable thrown = assertThrows(Throwable.class, what::run);
        failure.set(thrown);
        OtherThread<Throwable> end = OtherThread.start(() -> assertThrows(Throwable.class, dying::run));
        if (what != Throw.BARE) {
            // Which the proxy of this test cannot throw.
            assertSame(thrown, end.result());
        }
        end.result();
        assertFalse(dying.isOpen());
    }

    @Test
    void aGroupLeavesOutWhatDoesNotRunAnyMore() throws Exception {
        try (ProactorGroup group = Proactors.group(demultiplexer, 2)) {
            Proactor stopped = group.next();
            Proactor other = group.next();
            stopped.stop();
            OtherThread.await(() -> !stopped.isOpen());
            for (int i = 0; i < 4; i++) {
                assertSame(other, group.next());
            }
            other.stop();
            OtherThread.await(() -> !other.isOpen());
            assertThrows(IllegalStateException.class, group::next);
        }
    }
}
