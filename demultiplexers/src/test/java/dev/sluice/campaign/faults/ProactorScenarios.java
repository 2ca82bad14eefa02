package dev.sluice.campaign.faults;

import dev.sluice.calls.Errno;
import dev.sluice.connection.ListenOptions;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.proactor.AsyncAcceptor;
import dev.sluice.proactor.AsyncDatagram;
import dev.sluice.proactor.AsyncFile;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What is done with a proactor. */
final class ProactorScenarios {

    static final List<Scenario> ALL = List.of(
            new Scenario("proactor-echo", Mode.ASYNCHRONOUS, ProactorScenarios::echo),
            new Scenario("proactor-continuous-echo", Mode.ASYNCHRONOUS, ProactorScenarios::continuousEcho),
            new Scenario("proactor-accept-storm", Mode.ASYNCHRONOUS, ProactorScenarios::acceptStorm),
            new Scenario("proactor-proxy", Mode.ASYNCHRONOUS, ProactorScenarios::proxy),
            new Scenario("proactor-connect", Mode.ASYNCHRONOUS, ProactorScenarios::connect),
            new Scenario("proactor-file-copy", Mode.ASYNCHRONOUS, ProactorScenarios::fileCopy),
            new Scenario("proactor-transmit", Mode.ASYNCHRONOUS, ProactorScenarios::transmit),
            new Scenario("proactor-datagrams", Mode.ASYNCHRONOUS, ProactorScenarios::datagrams),
            new Scenario("proactor-cancel", Mode.ASYNCHRONOUS, ProactorScenarios::cancel),
            new Scenario("proactor-timers", Mode.ASYNCHRONOUS, ProactorScenarios::timers),
            new Scenario("proactor-close-in-the-midst", Mode.ASYNCHRONOUS, ProactorScenarios::closeInTheMidst));

    private static final int MESSAGE = 10_000;
    private static final int BIG_FILE = 300_000;
    private static final int SMALL_FILE = 5_000;
    /** What is sent from memory before and after a part of a file. */
    private static final int AROUND = 300;
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private ProactorScenarios() {
    }

    /** What is begun on an accepted connection. */
    @FunctionalInterface
    private interface Service {
        /** Begins it. */
        void begin(AsyncStream stream) throws IOException;
    }

    private static void serve(Proactor proactor, SocketAcceptor listener, Service service) throws IOException {
        AsyncAcceptor.listen(List.of(proactor), listener, new ListenOptions(), stream -> {
            try {
                service.begin(stream);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Sends back what it receives. */
    private static final class Echo extends Actor {

        private final AsyncStream stream;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(4096);

        Echo(Ledger ledger, AsyncStream stream) {
            super(ledger);
            this.stream = stream.withHandler(this);
        }

        void receive() throws IOException {
            start("receive", token -> stream.receive(buffer.clear(), token));
        }

        @Override
        void completed(Completion completion) throws IOException {
            if (!completion.isSuccess() || completion.isEndOfStream()) {
                stream.close();
            } else if (completion.type() == OperationType.RECEIVE) {
                start("send", token -> stream.send(buffer.flip(), token));
            } else {
                receive();
            }
        }
    }

    private static void echo(Stage stage) throws IOException {
        SocketAcceptor listener = stage.listener();
        SocketAddress address = listener.localAddress();
        Proactor proactor = stage.proactor();
        serve(proactor, listener, stream -> new Echo(stage.ledger(), stream).receive());
        byte[] message = Bytes.random(MESSAGE);
        Peer one = stage.peer(address, message, message);
        Peer other = stage.peer(address, message, message);
        stage.until("the echo", () -> one.isDone() && other.isDone());
        stage.idle();
        stage.satisfied(one, other);
        stage.servesNewcomers(listener);
    }

    /** Sends back what it receives into provided buffers, one after the other. */
    private static final class ContinuousEcho extends Actor {

        private final AsyncStream stream;
        private final List<ByteBuffer> toSend = new ArrayList<>();
        private boolean sending;

        ContinuousEcho(Ledger ledger, AsyncStream stream) {
            super(ledger);
            this.stream = stream.withHandler(this);
        }

        void receive() throws IOException {
            start("receive continuously", stream::receiveContinuously);
        }

        @Override
        void completed(Completion completion) throws IOException {
            if (completion.type() == OperationType.SEND) {
                sending = false;
            }
            if (!completion.isSuccess() || completion.isEndOfStream()) {
                stream.close();
                return;
            }
            if (completion.buffer() != null) {
                ByteBuffer received = completion.buffer().bytes();
                toSend.add(ByteBuffer.allocate(received.remaining()).put(received).flip());
            }
            if (!sending && !toSend.isEmpty()) {
                ByteBuffer next = toSend.remove(0);
                start("send", token -> stream.send(next, token));
                sending = true;
            }
        }
    }

    private static void continuousEcho(Stage stage) throws IOException {
        SocketAcceptor listener = stage.listener();
        SocketAddress address = listener.localAddress();
        Proactor proactor = stage.proactor();
        serve(proactor, listener, stream -> new ContinuousEcho(stage.ledger(), stream).receive());
        byte[] message = Bytes.random(MESSAGE);
        Peer one = stage.peer(address, message, message);
        Peer other = stage.peer(address, message, message);
        stage.until("the echo", () -> one.isDone() && other.isDone());
        stage.idle();
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
        Proactor proactor = stage.proactor();
        serve(proactor, listener, stream -> new Echo(stage.ledger(), stream).receive());
        stage.until("the echo to all", () -> peers.stream().allMatch(Peer::isDone));
        stage.idle();
        stage.satisfied(peers.toArray(Peer[]::new));
        stage.servesNewcomers(listener);
    }

    /** Sends what comes from one side to the other. */
    private static final class Half extends Actor {

        private final AsyncStream from;
        private AsyncStream to;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(4096);

        /** The handler of what it receives, while its other half is that of what goes the other way. */
        Half(Ledger ledger, AsyncStream from) {
            super(ledger);
            this.from = from.withHandler(this);
        }

        void begin(Half other) throws IOException {
            to = other.from;
            receive();
        }

        private void receive() throws IOException {
            start("receive for the other side", token -> from.receive(buffer.clear(), token));
        }

        @Override
        void completed(Completion completion) throws IOException {
            if (!completion.isSuccess() || completion.isEndOfStream()) {
                from.close();
                to.close();
            } else if (completion.type() == OperationType.RECEIVE) {
                // Its completion comes to the other half.
                start("send to the other side", token -> to.send(buffer.flip(), token));
            } else {
                mate.receive();
            }
        }

        private Half mate;

        static void tie(Half one, Half other) throws IOException {
            one.mate = other;
            other.mate = one;
            one.begin(other);
            other.begin(one);
        }

        /** The other side is of no use any more, and may have nothing under way that would tell it so. */
        @Override
        public void handleFailure(Handle handle, Throwable cause) {
            super.handleFailure(handle, cause);
            from.close();
            to.close();
        }
    }

    /** Connects a connection that has come in to a server. */
    private static final class Proxy extends Actor {

        private final AsyncStream client;

        Proxy(Ledger ledger, AsyncStream client) {
            super(ledger);
            this.client = client;
        }

        void connect(SocketAddress server) throws IOException {
            start("connect", token -> {
                client.proactor().connect(this, token, server, LONG);
                return 0;
            });
        }

        @Override
        void completed(Completion completion) throws IOException {
            if (!completion.isSuccess()) {
                client.close();
            } else {
                SocketStream far = completion.stream();
                try {
                    Half.tie(new Half(ledger(), client), new Half(ledger(), new AsyncStream(client.proactor(), far)));
                } catch (Throwable e) {
                    client.close();
                    close(far);
                    throw e;
                }
            }
        }
    }

    private static void proxy(Stage stage) throws IOException {
        FarServer server = stage.server();
        SocketAcceptor listener = stage.listener();
        SocketAddress address = listener.localAddress();
        Proactor proactor = stage.proactor();
        serve(proactor, listener, stream -> new Proxy(stage.ledger(), stream).connect(server.address()));
        byte[] message = Bytes.random(MESSAGE);
        Peer peer = stage.peer(address, message, message);
        stage.until("the echo through the proxy", peer::isDone);
        stage.idle();
        stage.satisfied(peer);
    }

    /** Connects and wants back what it says. */
    private static final class Client extends Actor {

        private final Proactor proactor;
        private final ByteBuffer said = ByteBuffer.wrap(Bytes.random(100));
        private final ByteBuffer heard = ByteBuffer.allocate(100);
        private AsyncStream stream;
        private boolean over;

        Client(Ledger ledger, Proactor proactor) {
            super(ledger);
            this.proactor = proactor;
        }

        void connect(SocketAddress address) throws IOException {
            start("connect", token -> {
                proactor.connect(this, token, address, LONG);
                return 0;
            });
        }

        @Override
        void completed(Completion completion) throws IOException {
            if (!completion.isSuccess() || completion.isEndOfStream()) {
                over = true;
                close(stream == null ? null : stream.stream());
                return;
            }
            switch (completion.type()) {
                case CONNECT -> {
                    try {
                        stream = new AsyncStream(proactor, completion.stream(), this);
                        start("send", token -> stream.send(said, token));
                    } catch (Throwable e) {
                        over = true;
                        close(completion.stream());
                        throw e;
                    }
                }
                default -> {
                    if (heard.hasRemaining()) {
                        start("receive", token -> stream.receive(heard, token));
                    }
                }
            }
        }

        @Override
        public void handleFailure(Handle handle, Throwable cause) {
            over = true;
            super.handleFailure(handle, cause);
        }

        boolean isSatisfied() {
            return !heard.hasRemaining() && heard.flip().equals(said.flip());
        }

        boolean isDone() {
            return over || !heard.hasRemaining();
        }

        void close() {
            if (stream != null) {
                stream.close();
            }
        }
    }

    private static void connect(Stage stage) throws IOException {
        FarServer server = stage.server();
        Proactor proactor = stage.proactor();
        SocketAddress unused;
        try (FarServer closed = new FarServer()) {
            unused = closed.address();
        }
        Client client = new Client(stage.ledger(), proactor);
        Client refused = new Client(stage.ledger(), proactor);
        stage.own(client::close);
        client.connect(server.address());
        refused.connect(unused);
        stage.until("the answer", () -> client.isDone() && refused.isDone());
        stage.idle();
        stage.require("the client has its answer", client.isSatisfied());
        if (refused.stream != null) {
            stage.ledger().problem("a connection to an unused address was established");
        }
    }

    /** Copies a file. */
    private static final class Copy extends Actor {

        private final Proactor proactor;
        private final Path to;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(2048);
        private AsyncFile source;
        private AsyncFile target;
        private long position;
        /** The length of the block that was written last. */
        private int last;
        private boolean forced;
        private boolean over;

        Copy(Ledger ledger, Proactor proactor, Path to) {
            super(ledger);
            this.proactor = proactor;
            this.to = to;
        }

        void begin(Path from) throws IOException {
            start("open the source", token -> {
                proactor.openFile(this, token, from);
                return 0;
            });
        }

        @Override
        void completed(Completion completion) throws IOException {
            if (!completion.isSuccess()) {
                end();
                return;
            }
            switch (completion.type()) {
                case OPEN -> opened(completion.file());
                case READ -> {
                    if (completion.isEndOfStream()) {
                        start("force", target::force);
                    } else {
                        start("write", token -> target.write(buffer.flip(), position, token));
                    }
                }
                case WRITE -> {
                    last = (int) completion.bytesTransferred();
                    position += last;
                    read();
                }
                case FORCE -> start("force the data", target::forceData);
                // The last block once more, which the buffer still has.
                case FORCE_DATA -> start("write and force", token -> target.writeAndForceData(
                        buffer.clear().limit(last), position - last, token));
                case WRITE_AND_FORCE_DATA -> {
                    forced = true;
                    // Closed by an operation, and without.
                    start("close", target::close);
                    source.close();
                }
                default -> over = true;
            }
        }

        private void opened(FileHandle file) throws IOException {
            try {
                if (source == null) {
                    source = new AsyncFile(proactor, file, this);
                    start("open the target", token -> {
                        proactor.openFile(this, token, to, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
                        return 0;
                    });
                } else {
                    target = new AsyncFile(proactor, file, this);
                    read();
                }
            } catch (Throwable e) {
                file.close();
                end();
                throw e;
            }
        }

        private void read() throws IOException {
            start("read", token -> source.read(buffer.clear(), position, token));
        }

        private void end() {
            over = true;
            close();
        }

        void close() {
            if (source != null) {
                source.close();
            }
            if (target != null) {
                target.close();
            }
        }

        @Override
        public void handleFailure(Handle handle, Throwable cause) {
            super.handleFailure(handle, cause);
            end();
        }
    }

    private static void fileCopy(Stage stage) throws IOException {
        byte[] content = Bytes.random(SMALL_FILE);
        Path from = Files.write(stage.file("source"), content);
        Path to = stage.file("target");
        Files.deleteIfExists(to);
        Proactor proactor = stage.proactor();
        Copy copy = new Copy(stage.ledger(), proactor, to);
        stage.own(copy::close);
        copy.begin(from);
        stage.until("the copy", () -> copy.over);
        stage.idle();
        stage.require("all is copied", copy.forced);
        if (copy.forced && !Arrays.equals(Files.readAllBytes(to), content)) {
            stage.ledger().problem("the copy differs");
        }
    }

    /** Sends a file in four parts: a short one and a long one, each of them in one piece and then from parts. */
    private static final class Sender extends Actor {

        private final AsyncStream stream;
        private final FileHandle file;
        private final byte[] content;
        private int sent;

        Sender(Ledger ledger, AsyncStream stream, FileHandle file, byte[] content) {
            super(ledger);
            this.stream = stream.withHandler(this);
            this.file = file;
            this.content = content;
        }

        void begin() throws IOException {
            start("transmit", token -> stream.transmitFile(file, 0, SMALL_FILE, null, null, token));
        }

        /** Sends what is in between from the file, and the rest from memory. */
        private void transmitParts(int number) throws IOException {
            int from = sent + AROUND;
            int count = number - 2 * AROUND;
            ByteBuffer head = ByteBuffer.wrap(content, sent, AROUND);
            ByteBuffer tail = ByteBuffer.allocateDirect(AROUND).put(0, content, from + count, AROUND);
            start("transmit parts", token -> stream.transmitFile(file, from, count, head, tail, token));
        }

        @Override
        void completed(Completion completion) throws IOException {
            if (!completion.isSuccess()) {
                stream.close();
            } else if (completion.type() == OperationType.TRANSMIT_FILE && sent == 0) {
                sent = SMALL_FILE;
                transmitParts(SMALL_FILE);
            } else if (completion.type() == OperationType.TRANSMIT_FILE && sent == SMALL_FILE) {
                sent = 2 * SMALL_FILE;
                start("transmit more",
                        token -> stream.transmitFile(file, sent, BIG_FILE / 2 - sent, null, null, token));
            } else if (completion.type() == OperationType.TRANSMIT_FILE && sent < BIG_FILE / 2) {
                sent = BIG_FILE / 2;
                transmitParts(BIG_FILE / 2);
            } else if (completion.type() == OperationType.TRANSMIT_FILE) {
                start("shut down", stream::shutdownOutput);
            } else {
                start("close", stream::close);
            }
        }
    }

    /** A handler that is content with the end of an operation. */
    private static final class Closer extends Actor {

        Closer(Ledger ledger) {
            super(ledger);
        }

        @Override
        void completed(Completion completion) {
            if (completion.stream() != null) {
                completion.stream().close();
            }
        }
    }

    private static void transmit(Stage stage) throws IOException {
        byte[] content = Bytes.random(BIG_FILE);
        FileHandle file = stage.own(FileHandle.open(Files.write(stage.file("source"), content)));
        SocketAcceptor listener = stage.localListener();
        Proactor proactor = stage.proactor();
        serve(proactor, listener, stream -> new Sender(stage.ledger(), stream, file, content).begin());
        Peer peer = stage.peer(listener.localAddress(), new byte[0], content);
        stage.until("the file", peer::isDone);
        stage.idle();
        stage.satisfied(peer);
    }

    /** Sends datagrams back. An error costs one datagram, or a pause, unless it concerns the socket. */
    private static final class DatagramEcho extends Actor {

        private final Proactor proactor;
        private final AsyncDatagram socket;
        private final PeerAddress sender = new PeerAddress();
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(2048);
        /** Whether an answer has been lost. */
        private boolean lost;
        private boolean over;

        DatagramEcho(Ledger ledger, Proactor proactor, SocketDatagram datagram) throws IOException {
            super(ledger);
            this.proactor = proactor;
            socket = new AsyncDatagram(proactor, datagram, this);
        }

        void receive() throws IOException {
            start("receive a datagram", token -> socket.receive(buffer.clear(), sender, token));
        }

        @Override
        void completed(Completion completion) throws IOException {
            if (!completion.isSuccess()) {
                failed(completion);
            } else if (completion.type() == OperationType.RECEIVE_FROM) {
                start("send a datagram", token -> socket.send(buffer.flip(), sender, token));
            } else {
                receive();
            }
        }

        private void failed(Completion completion) throws IOException {
            boolean sending = completion.type() == OperationType.SEND_TO;
            Errno error = completion.error() instanceof SystemCallException e ? Errno.valueOf(e.errorName())
                    : Errno.UNKNOWN;
            ErrorScope scope = sending ? ErrorScope.ofSend(-error.number()) : ErrorScope.ofReceive(-error.number());
            lost |= sending;
            if (scope == ErrorScope.SOCKET || error == Errno.ECANCELED) {
                over = true;
                socket.close();
            } else if (sending || scope == ErrorScope.PEER) {
                receive();
            } else {
                proactor.schedule(token -> {
                    try {
                        receive();
                    } catch (IOException e) {
                        handleFailure(null, e);
                    }
                }, null, PAUSE);
            }
        }

        @Override
        public void handleFailure(Handle handle, Throwable cause) {
            over = true;
            super.handleFailure(handle, cause);
        }
    }

    private static void datagrams(Stage stage) throws IOException {
        SocketDatagram socket = stage.own(SocketDatagram.open(Stage.anyPort()));
        Proactor proactor = stage.proactor();
        DatagramEcho echo = new DatagramEcho(stage.ledger(), proactor, socket);
        echo.receive();
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
            return sizes.size() == 3 || echo.lost || echo.over;
        });
        stage.idle();
        stage.require("three datagrams came back: " + sizes, echo.lost || sizes.equals(List.of(100, 200, 300)));
        if (!echo.over) {
            stage.answersNewcomers(socket);
        }
    }

    private static void cancel(Stage stage) throws IOException {
        SocketAcceptor listener = stage.listener();
        Proactor proactor = stage.proactor();
        Closer closer = new Closer(stage.ledger());
        SocketStream stream = stage.own(SocketConnector.connect(stage.server().address(), LONG));
        AsyncStream async = new AsyncStream(proactor, stream, closer);
        AsyncAcceptor acceptor = new AsyncAcceptor(proactor, listener, closer);
        ByteBuffer buffer = ByteBuffer.allocateDirect(10);
        List<Ledger.Entry> entries = new ArrayList<>();
        long receive = closer.start("receive", token -> noted(entries, token, async.receive(buffer, token)));
        long poll = closer.start("poll", token -> noted(entries, token, async.poll(Interest.READ, token)));
        long accept = closer.start("accept", token -> noted(entries, token, acceptor.acceptContinuously(token)));
        stage.idle();
        async.cancel(receive);
        async.cancel(poll);
        acceptor.cancel(accept);
        stage.until("the cancellation", () -> entries.stream().allMatch(Ledger.Entry::isOver));
        closer.start("receive again", token -> noted(entries, token, async.receiveContinuously(token)));
        closer.start("accept again", token -> noted(entries, token, acceptor.accept(token)));
        stage.idle();
        async.cancel();
        closer.start("close", token -> noted(entries, token, async.close(token)));
        listener.close();
        stage.until("the end", () -> entries.stream().allMatch(Ledger.Entry::isOver));
    }

    private static long noted(List<Ledger.Entry> entries, Ledger.Entry entry, long ticket) {
        entries.add(entry);
        return ticket;
    }

    private static void timers(Stage stage) throws IOException {
        Proactor proactor = stage.proactor();
        Closer closer = new Closer(stage.ledger());
        closer.start("time-out", token -> {
            proactor.timeout(closer, token, Duration.ofMillis(2));
            return 0;
        });
        closer.start("long time-out", token -> {
            proactor.timeout(closer, token, Duration.ofHours(1));
            return 0;
        });
        closer.start("post", token -> {
            proactor.post(closer, token, 1);
            return 0;
        });
        ReactorScenarios.timers(proactor, stage);
    }

    private static void closeInTheMidst(Stage stage) throws IOException {
        SocketAcceptor listener = stage.listener();
        SocketAddress address = listener.localAddress();
        FarServer server = stage.server();
        FileHandle file = stage.own(FileHandle.open(Files.write(stage.file("source"), Bytes.random(SMALL_FILE))));
        Proactor proactor = stage.proactor();
        serve(proactor, listener, stream -> new Echo(stage.ledger(), stream).receive());
        byte[] message = Bytes.random(60_000);
        Peer one = stage.peer(address, message, message);
        Peer other = stage.peer(address, message, message);
        stage.until("some echo", () -> one.count() > 0 && other.count() > 0 || one.isDone() || other.isDone());
        Closer closer = new Closer(stage.ledger());
        AsyncFile asyncFile = new AsyncFile(proactor, file, closer);
        ByteBuffer buffer = ByteBuffer.allocateDirect(SMALL_FILE);
        closer.start("read", token -> asyncFile.read(buffer, 0, token));
        closer.start("connect", token -> {
            proactor.connect(closer, token, server.address(), LONG);
            return 0;
        });
        closer.start("time-out", token -> {
            proactor.timeout(closer, token, LONG);
            return 0;
        });
    }
}
