package dev.sluice.reactor;

import static dev.sluice.eventloop.Misuse.assertMessage;
import static dev.sluice.eventloop.Misuse.assertRefused;
import static dev.sluice.eventloop.Misuse.assertThrown;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.Connection;
import dev.sluice.connection.Connector;
import dev.sluice.connection.OutputQueue;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.LoopBuilder;
import dev.sluice.eventloop.LoopMisuseContract;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a reactor and its connections refuse. */
class ReactorMisuseTest extends ReactorContract implements LoopMisuseContract {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @Override
    public EventLoop misused() {
        return reactor;
    }

    @Override
    public boolean isRunByMany() {
        return isShared();
    }

    @Override
    public LoopBuilder<Reactor> loops() {
        return Reactor.builder().demultiplexer(demultiplexer).multiThreaded(isShared());
    }

    /** A connection that does something in its first hook, and records what it ends with. */
    private static final class Misused extends ServiceHandler {

        private final Consumer<Misused> action;
        private boolean hasOpened;
        private Throwable failure;

        Misused(Consumer<Misused> action) {
            this.action = action;
        }

        @Override
        protected void open() {
            action.accept(this);
            hasOpened = true;
        }

        @Override
        public void handleFailure(Registration failed, Throwable cause) {
            failure = cause;
        }
    }

    /** {@return a connection whose first hook has returned} */
    private Misused connection(Consumer<Misused> action) throws Exception {
        List<Misused> accepted = new ArrayList<>();
        Acceptor acceptor = Acceptor.listen(reactor, ANY_PORT, () -> {
            Misused made = new Misused(action);
            accepted.add(made);
            return made;
        });
        own(SocketConnector.connect(acceptor.localAddress(), LIMIT));
        runUntil(() -> accepted.size() == 1 && (accepted.get(0).hasOpened || accepted.get(0).failure != null));
        if (accepted.get(0).failure != null) {
            throw new AssertionError(accepted.get(0).failure);
        }
        return accepted.get(0);
    }

    // Registrations

    @Test
    void interestNeedsItsHook() throws Exception {
        Pipe pipe = pipe();
        Throwable[] failure = new Throwable[1];
        EventHandler handler = new EventHandler() {
            @Override
            public void handleInput(Registration registration) {
                throw new AssertionError("not readable");
            }

            @Override
            public void handleFailure(Registration registration, Throwable cause) {
                failure[0] = cause;
            }

            @Override
            public String toString() {
                return "echo";
            }
        };
        Registration registration = reactor.register(pipe.sink(), Interest.WRITE, handler);
        runUntil(() -> failure[0] != null);
        assertMessage("interest WRITE, but echo does not override handleOutput", "override it or remove WRITE",
                failure[0]);
        assertFalse(registration.isOpen());
    }

    @Test
    void aHandleHasOneRegistration() throws Exception {
        Pipe pipe = pipe();
        Recorder first = reader("first", pipe);
        Registration registration = reactor.register(pipe.source(), Interest.READ, first);
        assertRefused("register: " + pipe.source() + " is registered with " + reactor + " already",
                "close that registration, or use its handOver",
                () -> reactor.register(pipe.source(), Interest.READ, reader("second", pipe)));
        Reactor other = own(openAnother());
        assertRefused("register: " + pipe.source() + " is registered with " + reactor + " already",
                "close that registration", () -> other.register(pipe.source(), Interest.READ, reader("other", pipe)));
        send(pipe);
        runUntil(() -> first.received() == 1);
        registration.interest(Interest.NONE);
        assertRefused("register: ", "close that registration",
                () -> other.register(pipe.source(), Interest.READ, reader("other", pipe)));
    }

    @Test
    void aHandleMayBeRegisteredElsewhereAfterItsRegistration() throws Exception {
        Pipe pipe = pipe();
        Reactor other = own(openAnother());
        Registration registration = reactor.register(pipe.source(), Interest.READ, new EventHandler() {
            @Override
            public void handleInput(Registration ready) {
                throw new AssertionError("not readable");
            }

            @Override
            public void handleClose(Registration ended) {
                // The handle stays open.
            }
        });
        registration.close();
        other.register(pipe.source(), Interest.READ, reader("next", pipe)).close();
    }

    // Connections

    @Test
    void nothingIsSentAfterTheEndOfTheOutput() throws Exception {
        connection(service -> {
            service.output().shutdownWhenSent();
            assertRefused("send: shutdownWhenSent() was called before", "send first",
                    () -> service.output().send(ByteBuffer.allocate(1)));
        });
        connection(service -> {
            service.closeWhenSent();
            assertRefused("send: closeWhenSent() was called before", "send first",
                    () -> service.output().send(ByteBuffer.allocate(1), () -> { }));
        });
        connection(service -> {
            OutputQueue output = service.output();
            service.close();
            assertRefused("send: close() was called before", "send first", () -> output.send(ByteBuffer.allocate(1)));
        });
    }

    @Test
    void aReplyIsAnnounced() throws Exception {
        connection(service -> assertRefused("reply: none is announced", "call expectReply() first",
                () -> service.output().reply(ByteBuffer.allocate(1))));
    }

    @Test
    void limitsAreInOrder() throws Exception {
        Class<IllegalArgumentException> type = IllegalArgumentException.class;
        connection(service -> {
            OutputQueue output = service.output();
            assertThrown(type, "watermarks: low 2, high 1", "1 <= low <= high", () -> output.watermarks(2, 1));
            assertThrown(type, "watermarks: low 0, high 1", "1 <= low <= high", () -> output.watermarks(0, 1));
            assertThrown(type, "watermarks: low 1, high " + Integer.MAX_VALUE, "the limit",
                    () -> output.watermarks(1, Integer.MAX_VALUE));
            assertThrown(type, "limit: 5 is below the high watermark", "set that first", () -> output.limit(5));
            assertThrown(type, "idleTimeout: direction EXCEPTION", "need READ, WRITE or READ_WRITE",
                    () -> service.registration().idleTimeout(Interest.EXCEPTION, LIMIT));
        });
    }

    @Test
    void whatTheLoopThreadDoesNoOtherDoes() throws Exception {
        Misused service = connection(opened -> { });
        OtherThread.run(() -> {
            for (Consumer<OutputQueue> call : List.<Consumer<OutputQueue>>of(queue -> queue.watermarks(1, 2),
                    queue -> queue.limit(1 << 20), queue -> queue.pauses(service))) {
                assertRefused("", ": only the thread that calls the hooks may call this, and not "
                        + Thread.currentThread().getName() + "; use loop().execute(...)",
                        () -> call.accept(service.output()));
            }
        });
    }

    @Test
    void aQueuePausesAConnectionOfItsLoop() throws Exception {
        Reactor loop = own(openAnother());
        SocketAcceptor target = own(SocketAcceptor.open(ANY_PORT));
        Connection other = Connector.connect(loop, target.localAddress(), LIMIT, new Misused(opened -> { }));
        connection(service -> assertThrown(IllegalArgumentException.class,
                "pauses: both connections must be on one loop", "connect with the loop of the accepted one",
                () -> service.output().pauses(other)));
    }

    @Test
    void aServiceHandlerHasOneConnection() throws Exception {
        Misused service = connection(opened -> { });
        assertRefused("one service handler per connection", "let the factory create one",
                () -> Connector.connect(reactor, ANY_PORT, LIMIT, service));
        assertRefused("dev.sluice.reactor.ReactorMisuseTest$Misused is not connected", "from open() on",
                new Misused(opened -> { })::output);
    }

    @Test
    void aClosedReactorTakesNothing() throws Exception {
        reactor.close();
        String wayOut = "is closed; open another loop";
        assertRefused("register: " + reactor, wayOut,
                () -> reactor.register(pipe().source(), Interest.READ, new Recorder("late")));
        assertRefused("listen: " + reactor, wayOut, () -> Acceptor.listen(reactor, ANY_PORT, () -> null));
        assertRefused("connect: " + reactor, wayOut,
                () -> Connector.connect(reactor, ANY_PORT, LIMIT, new Misused(opened -> { })));
    }
}
