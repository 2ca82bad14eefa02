package dev.sluice.campaign.faults;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.Connector;
import dev.sluice.connection.ListenOptions;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.OneHandleHandler;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Registration;
import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What is done with a reactor. */
final class ReactorScenarios {

    static final List<Scenario> ALL = List.of(
            new Scenario("reactor-echo", Mode.SYNCHRONOUS, ReactorScenarios::echo),
            new Scenario("reactor-accept-storm", Mode.SYNCHRONOUS, ReactorScenarios::acceptStorm),
            new Scenario("reactor-connect", Mode.SYNCHRONOUS, ReactorScenarios::connect),
            new Scenario("reactor-transmit", Mode.SYNCHRONOUS, ReactorScenarios::transmit),
            new Scenario("reactor-datagrams", Mode.SYNCHRONOUS, ReactorScenarios::datagrams),
            new Scenario("reactor-timers", Mode.SYNCHRONOUS, ReactorScenarios::timers),
            new Scenario("reactor-close-in-the-midst", Mode.SYNCHRONOUS, ReactorScenarios::closeInTheMidst));

    private static final int MESSAGE = 10_000;
    private static final int FILE = 300_000;
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private ReactorScenarios() {
    }

    /** A service whose end is noted, once for each beginning. */
    private abstract static class Service extends ServiceHandler {

        private final Ledger ledger;
        private final String what;
        /** Null for a connection that has been accepted and is not registered: it is closed, and calls no hook. */
        private Ledger.Entry connection;
        private boolean opened;

        Service(Ledger ledger, String what) {
            this.ledger = ledger;
            this.what = what;
        }

        /** From now on it is notified of its end. */
        final void note() {
            connection = ledger.begin(what);
        }

        final boolean isOver() {
            return connection.isOver();
        }

        final boolean hasOpened() {
            return opened;
        }

        @Override
        protected final void open() throws Exception {
            opened = true;
            if (connection == null) {
                note();
            }
            begin();
        }

        abstract void begin() throws Exception;

        @Override
        protected void connectFailed(Throwable cause) {
            ledger.failure(cause);
            connection.end();
        }

        @Override
        public void handleFailure(Registration registration, Throwable cause) {
            ledger.failure(cause);
        }

        @Override
        public void handleClose(Registration registration) throws Exception {
            connection.end();
            registration.handle().close();
        }
    }

    /** Sends back what it receives. */
    private static final class Echo extends Service {

        private final ByteBuffer buffer = ByteBuffer.allocateDirect(4096);

        Echo(Ledger ledger) {
            super(ledger, "echo connection");
        }

        @Override
        void begin() throws IOException {
        }

        @Override
        public void handleInput(Registration registration) throws IOException {
            int count;
            while ((count = peer().receive(buffer)) > 0) {
                if (!send()) {
                    registration.interest(Interest.WRITE);
                    return;
                }
            }
            if (count == 0 && !buffer.hasRemaining()) {
                throw new IllegalStateException("no room");
            }
            if (count < 0) {
                registration.close();
            }
        }

        private boolean send() throws IOException {
            buffer.flip();
            while (buffer.hasRemaining() && peer().send(buffer) > 0) {
                continue;
            }
            boolean all = !buffer.hasRemaining();
            buffer.compact();
            return all;
        }

        @Override
        public void handleOutput(Registration registration) throws IOException {
            if (send()) {
                registration.interest(Interest.READ);
            }
        }
    }

    /** What makes a reactor's hooks be called and is to be closed before its socket. */
    private static Acceptor acceptor(Stage stage, Reactor reactor, SocketAcceptor listener, List<Service> services)
            throws IOException {
        return Acceptor.listen(List.of(reactor), listener, new ListenOptions(), () -> {
            Service service = new Echo(stage.ledger());
            services.add(service);
            return service;
        });
    }

    private static void echo(Stage stage) throws IOException {
        SocketAcceptor listener = stage.listener();
        Reactor reactor = stage.reactor();
        acceptor(stage, reactor, listener, new ArrayList<>());
        byte[] message = Bytes.random(MESSAGE);
        Peer one = stage.peer(listener.localAddress(), message, message);
        Peer other = stage.peer(listener.localAddress(), message, message);
        stage.until("the echo", () -> one.isDone() && other.isDone());
        stage.idle();
        one.close();
        stage.until("the echo to the other", other::isDone);
        stage.satisfied(one, other);
        stage.servesNewcomers(listener);
    }

    private static void acceptStorm(Stage stage) throws IOException {
        SocketAcceptor listener = stage.listener();
        List<Peer> peers = new ArrayList<>();
        byte[] message = Bytes.random(10);
        for (int i = 0; i < 12; i++) {
            peers.add(stage.peer(listener.localAddress(), message, message));
        }
        Reactor reactor = stage.reactor();
        acceptor(stage, reactor, listener, new ArrayList<>());
        stage.until("the echo to all", () -> peers.stream().allMatch(Peer::isDone));
        stage.idle();
        stage.satisfied(peers.toArray(Peer[]::new));
        stage.servesNewcomers(listener);
    }

    /** Says something and wants to hear the same. */
    private static final class Client extends Service {

        private final ByteBuffer said = ByteBuffer.wrap(Bytes.random(100));
        private final ByteBuffer heard = ByteBuffer.allocate(100);

        Client(Ledger ledger, String what) {
            super(ledger, what);
            note();
        }

        @Override
        void begin() throws IOException {
            registration().interest(Interest.WRITE);
        }

        @Override
        public void handleOutput(Registration registration) throws IOException {
            while (said.hasRemaining() && peer().send(said) > 0) {
                continue;
            }
            if (!said.hasRemaining()) {
                registration.interest(Interest.READ);
            }
        }

        @Override
        public void handleInput(Registration registration) throws IOException {
            int count;
            do {
                count = peer().receive(heard);
            } while (count > 0);
            if (count < 0) {
                registration.close();
            }
        }

        boolean isSatisfied() {
            return !heard.hasRemaining() && heard.flip().equals(said.flip());
        }

        boolean isDone() {
            return isOver() || !heard.hasRemaining();
        }
    }

    private static void connect(Stage stage) throws IOException {
        FarServer server = stage.server();
        SocketAddress address = server.address();
        Reactor reactor = stage.reactor();
        Client client = new Client(stage.ledger(), "connection to a server");
        Client refused = new Client(stage.ledger(), "connection to an unused address");
        SocketAddress unused;
        try (FarServer closed = new FarServer()) {
            unused = closed.address();
        }
        Connector.connect(reactor, address, LONG, client);
        Connector.connect(reactor, unused, LONG, refused);
        stage.until("the answer", () -> client.isDone() && refused.isDone());
        stage.idle();
        stage.require("the client has its answer", !client.isOver() && client.isSatisfied());
        if (refused.hasOpened()) {
            stage.ledger().problem("a connection to an unused address was established");
        }
    }

    /** Sends a file. */
    private static final class Sender extends Service {

        private final FileHandle file;
        private long position;

        Sender(Ledger ledger, FileHandle file) {
            super(ledger, "sender of a file");
            this.file = file;
        }

        @Override
        void begin() throws IOException {
            registration().interest(Interest.WRITE);
        }

        @Override
        public void handleInput(Registration registration) {
            throw new AssertionError("it waits for output only");
        }

        @Override
        public void handleOutput(Registration registration) throws IOException {
            long count;
            do {
                count = peer().sendFile(file, position, FILE - position);
                position += Math.max(count, 0);
            } while (count > 0 && position < FILE);
            if (position == FILE) {
                registration.close();
            }
        }
    }

    private static void transmit(Stage stage) throws IOException {
        byte[] content = Bytes.random(FILE);
        FileHandle file = stage.own(FileHandle.open(Files.write(stage.file("source"), content)));
        SocketAcceptor listener = stage.localListener();
        Reactor reactor = stage.reactor();
        Acceptor.listen(List.of(reactor), listener, new ListenOptions(), () -> new Sender(stage.ledger(), file));
        Peer peer = stage.peer(listener.localAddress(), new byte[0], content);
        stage.until("the file", peer::isDone);
        stage.idle();
        stage.satisfied(peer);
    }

    /** Sends datagrams back. An error costs one datagram, or a pause, unless it concerns the socket. */
    private static final class DatagramEcho extends OneHandleHandler {

        private final Reactor reactor;
        private final Ledger ledger;
        private final SocketDatagram socket;
        private final Ledger.Entry entry;
        private final PeerAddress sender = new PeerAddress();
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(2048);
        /** Whether an answer has been lost. */
        private boolean lost;

        DatagramEcho(Reactor reactor, Ledger ledger, SocketDatagram socket) {
            this.reactor = reactor;
            this.ledger = ledger;
            this.socket = socket;
            entry = ledger.begin("registration of a datagram socket");
        }

        @Override
        public Handle handle() {
            return socket.handle();
        }

        @Override
        public void handleInput(Registration registration) throws IOException {
            while (receive()) {
                buffer.flip();
                send();
            }
        }

        private boolean receive() throws IOException {
            while (true) {
                try {
                    return socket.receive(buffer.clear(), sender) != SocketDatagram.NONE;
                } catch (SystemCallException e) {
                    switch (ErrorScope.ofReceive(e)) {
                        case SOCKET -> throw e;
                        case TEMPORARY -> {
                            registration().pause();
                            reactor.schedule(token -> registration().resume(), null, PAUSE);
                            return false;
                        }
                        default -> ledger.failure(e);
                    }
                }
            }
        }

        private void send() throws IOException {
            try {
                // A full socket costs a datagram here, as it does in most servers.
                lost |= !socket.send(buffer, sender);
            } catch (SystemCallException e) {
                if (ErrorScope.ofSend(e) == ErrorScope.SOCKET) {
                    throw e;
                }
                ledger.failure(e);
                lost = true;
            }
        }

        @Override
        public void handleFailure(Registration registration, Throwable cause) {
            ledger.failure(cause);
        }

        @Override
        public void handleClose(Registration registration) {
            entry.end();
            registration.handle().close();
        }
    }

    private static void datagrams(Stage stage) throws IOException {
        SocketDatagram socket = stage.own(SocketDatagram.open(Stage.anyPort()));
        Reactor reactor = stage.reactor();
        DatagramEcho echo = new DatagramEcho(reactor, stage.ledger(), socket);
        stage.register(echo.entry, () -> echo.register(reactor, Interest.READ));
        DatagramChannel peer = stage.own(DatagramChannel.open());
        peer.connect(socket.localAddress()).configureBlocking(false);
        for (int i = 1; i <= 3; i++) {
            peer.write(ByteBuffer.allocate(100 * i));
        }
        List<Integer> sizes = new ArrayList<>();
        ByteBuffer room = ByteBuffer.allocate(2048);
        stage.until("the datagrams", () -> {
            try {
                while (peer.read(room.clear()) > 0) {
                    sizes.add(room.position());
                }
            } catch (IOException e) {
                return true;
            }
            return sizes.size() == 3 || echo.lost || echo.entry.isOver();
        });
        stage.idle();
        stage.require("three datagrams came back", echo.lost || sizes.equals(List.of(100, 200, 300)));
        stage.answersNewcomers(socket);
    }

    static void timers(EventLoop loop, Stage stage) throws IOException {
        int[] expiries = new int[3];
        int[] tasks = new int[1];
        TimeoutHandler handler = token -> expiries[(Integer) token]++;
        loop.schedule(handler, 0, Duration.ofMillis(1));
        Timer periodic = loop.schedule(handler, 1, Duration.ofMillis(1), Duration.ofMillis(1));
        Timer cancelled = loop.schedule(handler, 2, Duration.ofHours(1));
        loop.execute(() -> tasks[0]++);
        loop.wakeUp();
        stage.until("timers", () -> expiries[0] == 1 && expiries[1] >= 3 && tasks[0] == 1);
        periodic.cancel();
        cancelled.cancel();
        loop.wakeUp();
        stage.idle();
        loop.execute(() -> tasks[0]++);
        loop.wakeUp();
        stage.until("the second task", () -> tasks[0] == 2);
        if (expiries[0] != 1 || expiries[2] != 0) {
            stage.ledger().problem("timers expired " + expiries[0] + " and " + expiries[2] + " times");
        }
    }

    private static void timers(Stage stage) throws IOException {
        timers(stage.reactor(), stage);
    }

    private static void closeInTheMidst(Stage stage) throws IOException {
        SocketAcceptor listener = stage.listener();
        SocketAddress address = listener.localAddress();
        Reactor reactor = stage.reactor();
        acceptor(stage, reactor, listener, new ArrayList<>());
        byte[] message = Bytes.random(60_000);
        Peer one = stage.peer(address, message, message);
        Peer other = stage.peer(address, message, message);
        stage.until("some echo", () -> one.count() > 0 && other.count() > 0 || one.isDone() || other.isDone());
        Connector.connect(reactor, address, LONG, new Client(stage.ledger(), "connection that is too late"));
        reactor.schedule(token -> { }, null, LONG);
    }
}
