package dev.sluice.samples.conversation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.sluice.connection.Acceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.ReactorGroup;
import dev.sluice.samples.Patience;
import dev.sluice.samples.server.Connections;
import dev.sluice.samples.server.VirtualThreads;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ThreadPerConnectionTest {

    enum Kind {
        PLATFORM {
            @Override
            ThreadPerConnection open() {
                return ThreadPerConnection.ofPlatformThreads();
            }
        },
        VIRTUAL {
            @Override
            ThreadPerConnection open() {
                return ThreadPerConnection.ofVirtualThreads();
            }
        };

        abstract ThreadPerConnection open();
    }

    static Stream<Kind> kinds() {
        return Stream.of(Kind.values()).filter(kind -> kind != Kind.VIRTUAL || VirtualThreads.unavailable() == null);
    }

    /** Waits for what a client never sends. */
    private static final class Silence implements Conversation {

        private final SocketStream stream;
        private final AtomicReference<Thread> thread;

        Silence(SocketStream stream, AtomicReference<Thread> thread) {
            this.stream = stream;
            this.thread = thread;
        }

        @Override
        public Next advance(long since) throws IOException {
            int count = stream.receive(ByteBuffer.allocate(1));
            thread.set(Thread.currentThread());
            return count == SocketStream.END_OF_STREAM ? Next.CLOSE : Next.RECEIVE;
        }

        @Override
        public boolean await(Next next) throws IOException {
            return KernelWait.receive(stream, ByteBuffer.allocate(1));
        }
    }

    private static final class Server implements Closeable {

        private final ReactorGroup loop;
        private final Acceptor acceptor;
        private final AtomicInteger opened = new AtomicInteger();
        private final AtomicReference<Throwable> failure = new AtomicReference<>();
        private final AtomicReference<Thread> thread = new AtomicReference<>();
        private final Connections connections = new Connections();

        Server(ThreadPerConnection threads) throws IOException {
            loop = ReactorGroup.open(1);
            loop.onFailure(failure::set);
            acceptor = Acceptor.listen(loop, new InetSocketAddress("127.0.0.1", 0), () -> {
                opened.incrementAndGet();
                return threads.handler((stream, reactor) -> new Silence(stream, thread), reactor -> connections);
            });
            loop.start();
        }

        SocketStream connect() throws IOException {
            return SocketConnector.connect(acceptor.localAddress(), Patience.LIMIT);
        }

        @Override
        public void close() {
            loop.close();
            assertEquals(null, failure.get());
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void cutsAConnectionWhoseThreadWaits(Kind kind) throws Exception {
        try (ThreadPerConnection threads = kind.open(); Server server = new Server(threads);
                SocketStream client = server.connect()) {
            Patience.until("it has a thread", () -> server.thread.get() != null);
            assertEquals(1, server.connections.count());
            server.close();
            threads.close();
            assertFalse(client.receiveFully(ByteBuffer.allocate(1), Patience.LIMIT));
            Patience.until("the thread ends", () -> !server.thread.get().isAlive());
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void countsAConnectionAsLongAsItIsOpen(Kind kind) throws Exception {
        try (ThreadPerConnection threads = kind.open(); Server server = new Server(threads)) {
            try (SocketStream client = server.connect()) {
                Patience.until("it has a thread", () -> server.thread.get() != null);
                assertEquals(1, server.connections.count(), client::toString);
            }
            Patience.until("it is over", () -> server.connections.count() == 0);
            Patience.until("the thread ends", () -> !server.thread.get().isAlive());
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void countsNoConnectionThatGetsNoThread(Kind kind) throws Exception {
        try (ThreadPerConnection threads = kind.open(); Server server = new Server(threads)) {
            threads.close();
            try (SocketStream client = server.connect()) {
                assertFalse(client.receiveFully(ByteBuffer.allocate(1), Patience.LIMIT));
            }
            assertEquals(1, server.opened.get());
            Patience.until("it is over", () -> server.connections.count() == 0);
        }
    }
}
