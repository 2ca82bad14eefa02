package dev.sluice.samples.conversation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.Background;
import dev.sluice.samples.Patience;
import dev.sluice.samples.server.ConnectionLimit;
import dev.sluice.samples.server.EventLoopServer;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.Signals;
import dev.sluice.samples.server.StopRequest;
import dev.sluice.samples.server.Surroundings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A change of the strategy while the thread of the context is busy. */
@EnabledOnOs(OS.LINUX)
class StrategyContextTest {

    private static final Signals NONE = (loop, registration, signal, task) -> { };
    /** How long connections have to finish when the server stops. */
    private static final Duration GRACE = Duration.ofMillis(50);

    private final CompletableFuture<SocketAddress> address = new CompletableFuture<>();
    private final CountDownLatch waits = new CountDownLatch(1);
    /** What the next conversation waits for before it begins; null for nothing. */
    private volatile CountDownLatch held;

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits for its client's end. */
    private static final class Idle implements Conversation {

        private final SocketStream stream;
        private volatile boolean moving;
        private volatile boolean finishing;

        Idle(SocketStream stream) {
            this.stream = stream;
        }

        @Override
        public Next advance(long since) throws IOException {
            if (finishing || stream.receive(ByteBuffer.allocate(1)) == SocketStream.END_OF_STREAM) {
                return Next.CLOSE;
            }
            return moving ? Next.MOVE : Next.RECEIVE;
        }

        @Override
        public boolean await(Next next) {
            throw new AssertionError("no thread waits for it alone");
        }

        @Override
        public boolean finish() {
            finishing = true;
            return true;
        }

        @Override
        public void move() {
            moving = true;
        }
    }

    private final class Protocol implements ServedProtocol {

        @Override
        public String name() {
            return "idle";
        }

        @Override
        public SocketAcceptor listen(ServerOptions options) throws IOException {
            SocketAcceptor socket = SocketAcceptor.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            address.complete(socket.localAddress());
            return socket;
        }

        @Override
        public ConversationFactory conversations(EventLoopServer<Reactor> server, ConnectionThreads threads) {
            return (stream, dispatcher) -> {
                begin();
                return new Idle(stream);
            };
        }
    }

    private void begin() {
        CountDownLatch latch = held;
        if (latch != null) {
            waits.countDown();
            StrategyContextTest.await(latch);
        }
    }

    private static ServerOptions options() {
        OutputStream nowhere = OutputStream.nullOutputStream();
        return new ServerOptions(new Surroundings(new PrintStream(nowhere, true, UTF_8), Channels.newChannel(nowhere),
                NONE)).at(0, Mode.SYNCHRONOUS, null);
    }

    /** The context's thread moves a connection, for longer than a stop may take. */
    @Test
    void changeWaitsForTheChangeBeforeIt() throws Exception {
        StopRequest stop = new StopRequest(NONE, GRACE);
        StrategyContext context = new StrategyContext(new Protocol(), options(), ConnectionLimit.of(8, new byte[0]),
                stop);
        CountDownLatch begun = new CountDownLatch(1);
        Background<Void> serving = Background.run(() -> {
            context.serve(ConcurrencyStrategy.REACTOR_PER_THREAD, 1, begun::countDown);
            return null;
        });
        await(begun);
        try (SocketStream client = SocketConnector.connect(address.get(), Patience.LIMIT)) {
            Patience.until(() -> client + " is served", () -> context.connections() == 1);
            CountDownLatch released = new CountDownLatch(1);
            held = released;
            context.change(ConcurrencyStrategy.LEADER_FOLLOWERS, 1);
            await(waits);
            held = null;
            Background<Void> change = Background.run(() -> {
                context.change(ConcurrencyStrategy.HALF_SYNC_HALF_ASYNC, 1);
                return null;
            });
            try {
                TimeUnit.MILLISECONDS.sleep(4 * GRACE.toMillis());
                assertFalse(change.isDone());
            } finally {
                released.countDown();
            }
            change.result();
            assertEquals(ConcurrencyStrategy.HALF_SYNC_HALF_ASYNC, context.strategy());
            Patience.until("the connection has moved", () -> context.connections() == 1);
        }
        stop.request();
        serving.result();
    }

    private static boolean isAlive(String thread) {
        return Thread.getAllStackTraces().keySet().stream().anyMatch(each -> each.getName().equals(thread));
    }

    /** The change that the interrupted thread waits for is not made later, and leaves no strategy behind. */
    @Test
    void interruptedChangeIsNotMade() throws Exception {
        StopRequest stop = new StopRequest(NONE, GRACE);
        StrategyContext context = new StrategyContext(new Protocol(), options(), ConnectionLimit.of(8, new byte[0]),
                stop);
        CountDownLatch begun = new CountDownLatch(1);
        Background<Void> serving = Background.run(() -> {
            context.serve(ConcurrencyStrategy.REACTOR_PER_THREAD, 1, begun::countDown);
            return null;
        });
        await(begun);
        try (SocketStream client = SocketConnector.connect(address.get(), Patience.LIMIT)) {
            Patience.until(() -> client + " is served", () -> context.connections() == 1);
            CountDownLatch released = new CountDownLatch(1);
            held = released;
            context.change(ConcurrencyStrategy.LEADER_FOLLOWERS, 1);
            await(waits);
            held = null;
            FutureTask<Void> change = new FutureTask<>(() -> {
                context.change(ConcurrencyStrategy.HALF_SYNC_HALF_ASYNC, 1);
                return null;
            });
            Thread changing = new Thread(change, "changes the strategy");
            try {
                changing.start();
                // It waits without a limit for the strategy to begin, and then with one for the context's thread.
                Patience.until("it waits for the context's thread",
                        () -> changing.getState() == Thread.State.TIMED_WAITING);
                changing.interrupt();
                ExecutionException e = assertThrows(ExecutionException.class, change::get);
                assertInstanceOf(InterruptedException.class, e.getCause());
                Patience.until("the new strategy has ended",
                        () -> !isAlive("idle-" + ConcurrencyStrategy.HALF_SYNC_HALF_ASYNC));
            } finally {
                released.countDown();
                changing.join();
            }
            // The task of the interrupted change comes before this one.
            context.change(ConcurrencyStrategy.REACTOR_PER_THREAD, 1);
            assertFalse(context.status().toString().contains(ConcurrencyStrategy.HALF_SYNC_HALF_ASYNC.toString()),
                    () -> context.status().toString());
            Patience.until("the connection has moved", () -> context.connections() == 1);
        }
        stop.request();
        serving.result();
    }
}
