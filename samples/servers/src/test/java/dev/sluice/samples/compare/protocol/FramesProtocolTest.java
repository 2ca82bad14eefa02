package dev.sluice.samples.compare.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.leaderfollowers.Promotion;
import dev.sluice.leaderfollowers.PromotionOrder;
import dev.sluice.samples.compare.protocol.FramesServer.Parts;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.conversation.ConcurrencyStrategy.Waits;
import dev.sluice.samples.conversation.HandleSetKind;
import dev.sluice.samples.conversation.PoolDesign;
import dev.sluice.samples.conversation.PoolLayout;
import dev.sluice.samples.server.StopRequest;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same service, whatever the concurrency strategy and the design of its pool. */
class FramesProtocolTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    /** A request that ends when as many are being served as there are threads. */
    private static final byte BLOCKING = 1;
    private static final int THREADS = 4;
    private static final int CLIENTS = 12;
    private static final int REQUESTS = Depth.times(10, 25, 100);
    /** Beyond each strategy on its best mechanism, in the ordinary build. */
    private static final int MORE_SETUPS = 6;

    /** Every strategy on every mechanism; what pools there can be on the best mechanism of each kind alone. */
    static Stream<Parts> setups(TestInfo test) {
        return some(test, allSetups());
    }

    /** Every strategy on the best mechanism, with every pool that it can have there. */
    static Stream<Parts> pools(TestInfo test) {
        return some(test, allPools());
    }

    /** Each strategy once, and a few of the rest, in which only the mechanism or the design of the pool differs. */
    private static Stream<Parts> some(TestInfo test, Stream<Parts> all) {
        Map<ConcurrencyStrategy, Parts> first = new EnumMap<>(ConcurrencyStrategy.class);
        List<Parts> others = new ArrayList<>();
        all.forEach(parts -> {
            if (first.putIfAbsent(parts.strategy(), parts) != null) {
                others.add(parts);
            }
        });
        return Stream.concat(first.values().stream(), Depth.some(test, others.stream(), MORE_SETUPS));
    }

    private static Stream<Parts> allSetups() {
        return strategies().flatMap(strategy -> {
            Set<Boolean> met = new HashSet<>();
            return factories(strategy).flatMap(factory -> designs(strategy, factory)
                    .limit(met.add(factory.isConcurrent()) ? Long.MAX_VALUE : 1)
                    .map(pool -> new Parts(strategy, factory.name(), THREADS, pool)));
        });
    }

    private static Stream<Parts> allPools() {
        return strategies().flatMap(strategy -> factories(strategy).limit(1).flatMap(factory ->
                designs(strategy, factory).map(pool -> new Parts(strategy, factory.name(), THREADS, pool))));
    }

    private static Stream<ConcurrencyStrategy> strategies() {
        return Arrays.stream(ConcurrencyStrategy.values()).filter(strategy -> strategy.unavailable() == null);
    }

    private static Stream<Mechanism> factories(ConcurrencyStrategy strategy) {
        return Mechanism.available().stream()
                .filter(factory -> factory.mode() == strategy.mode() && factory.availability().usable()
                        && (!strategy.isConcurrent() || factory.isConcurrent()))
                .limit(strategy.waits() == Waits.IN_KERNEL ? 1 : Long.MAX_VALUE);
    }

    private static Stream<PoolDesign> designs(ConcurrencyStrategy strategy, Mechanism factory) {
        if (strategy != ConcurrencyStrategy.LEADER_FOLLOWERS) {
            return Stream.of(PoolDesign.USUAL);
        }
        return Arrays.stream(PoolLayout.values()).flatMap(layout -> {
            int count = layout == PoolLayout.ONE_HANDLE_SET ? 1 : 2;
            List<PoolDesign> designs = new ArrayList<>();
            for (PromotionOrder order : PromotionOrder.values()) {
                for (Promotion promotion : Promotion.values()) {
                    designs.add(new PoolDesign(layout, count, HandleSetKind.ITERATIVE, order, promotion));
                }
            }
            if (factory.isConcurrent() && layout != PoolLayout.MULTIPLE_LEADERS) {
                designs.add(new PoolDesign(layout, count, HandleSetKind.CONCURRENT, null, null));
            }
            return designs.stream();
        });
    }

    @ParameterizedTest
    @MethodSource("setups")
    void everyRequestGetsItsResponse(Parts parts)
            throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try (FramesServer server = new FramesServer(parts, FramesProtocolTest::reverse, listen())) {
            SocketAddress address = server.address();
            List<Future<Void>> results = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int seed = i;
                results.add(clients.submit(client(address, seed)));
            }
            for (Future<Void> result : results) {
                result.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
            assertTrue(server.isServing(), server::toString);
        } finally {
            clients.shutdown();
        }
    }

    private static Callable<Void> client(SocketAddress address, int seed) {
        return () -> {
            Random random = new Random(seed);
            try (SocketStream stream = SocketConnector.connect(address, LIMIT)) {
                for (int i = 0; i < REQUESTS; i++) {
                    // Several at once, so that a server receives them in one piece and in parts.
                    List<byte[]> contents = new ArrayList<>();
                    for (int j = random.nextInt(4); j >= 0; j--) {
                        byte[] content = new byte[random.nextInt(Frames.LARGEST + 1) >> random.nextInt(12)];
                        random.nextBytes(content);
                        contents.add(content);
                        stream.sendFully(frame(content), LIMIT);
                    }
                    for (byte[] content : contents) {
                        assertEquals(reversed(content), response(stream));
                    }
                }
            }
            return null;
        };
    }

    private static void reverse(ByteBuffer request, ByteBuffer response) {
        for (int i = request.limit() - 1; i >= request.position(); i--) {
            response.put(request.get(i));
        }
    }

    private static ByteBuffer reversed(byte[] content) {
        ByteBuffer reversed = ByteBuffer.allocate(content.length);
        reverse(ByteBuffer.wrap(content), reversed);
        return reversed.flip();
    }

    private static ByteBuffer frame(byte[] content) {
        return ByteBuffer.allocate(Frames.HEADER + content.length).putInt(content.length).put(content).flip();
    }

    private static ByteBuffer response(SocketStream stream) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(Frames.HEADER);
        assertTrue(stream.receiveFully(header, LIMIT), "the connection has ended");
        ByteBuffer content = ByteBuffer.allocate(header.getInt(0));
        assertTrue(stream.receiveFully(content, LIMIT), "the connection has ended");
        return content.flip();
    }

    private static SocketAcceptor listen() throws IOException {
        SocketAcceptor acceptor = SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0));
        acceptor.setOption(NativeSocketOptions.TCP_NODELAY, true);
        return acceptor;
    }

    static Stream<Parts> poolsOfManyThreads(TestInfo test) {
        Set<ConcurrencyStrategy> others = EnumSet.of(ConcurrencyStrategy.REACTOR_PER_THREAD,
                ConcurrencyStrategy.PROACTOR_PER_THREAD, ConcurrencyStrategy.CONCURRENT_PROACTOR);
        return some(test, allPools().filter(parts -> !others.contains(parts.strategy())));
    }

    @ParameterizedTest
    @MethodSource("poolsOfManyThreads")
    void requestsThatBlockAreServedAtOnce(Parts parts)
            throws Exception {
        CountDownLatch together = new CountDownLatch(THREADS);
        List<SocketStream> streams = new ArrayList<>();
        try (FramesServer server = new FramesServer(parts, (request, response) -> {
            if (request.get(request.position()) == BLOCKING) {
                together.countDown();
                response.put((byte) (opened(together) ? 1 : 0));
            }
        }, listen())) {
            for (int i = 0; i < THREADS; i++) {
                SocketStream stream = SocketConnector.connect(server.address(), LIMIT);
                streams.add(stream);
                // Accepted: where each handle set has its own threads, those of the listening one may all block then.
                stream.sendFully(frame(new byte[1]), LIMIT);
                assertEquals(0, response(stream).remaining(), server::toString);
            }
            for (SocketStream stream : streams) {
                stream.sendFully(frame(new byte[] {BLOCKING}), LIMIT);
            }
            for (SocketStream stream : streams) {
                assertEquals(ByteBuffer.wrap(new byte[] {1}), response(stream), server::toString);
            }
        } finally {
            streams.forEach(SocketStream::close);
        }
    }

    /** Where one thread serves many connections. */
    static Stream<Parts> setupsOfFewThreads(TestInfo test) {
        Set<ConcurrencyStrategy> others = EnumSet.of(ConcurrencyStrategy.THREAD_POOL,
                ConcurrencyStrategy.THREAD_PER_CONNECTION, ConcurrencyStrategy.VIRTUAL_THREAD_PER_CONNECTION);
        return some(test, allSetups().filter(parts -> !others.contains(parts.strategy())
                && parts.pool().handleSets() == 1).map(parts -> parts.withThreads(1)));
    }

    @ParameterizedTest
    @MethodSource("setupsOfFewThreads")
    void theQuickestClientDoesNotKeepTheServerForItself(Parts parts) throws Exception {
        SocketAcceptor acceptor = listen();
        SocketAddress address = acceptor.localAddress();
        AtomicBoolean enough = new AtomicBoolean();
        try (SocketStream quick = SocketConnector.connect(address, LIMIT);
             FramesServer server = new FramesServer(parts, (request, response) -> {
                 if (request.remaining() == 1 && !enough.get()) {
                     sendNext(quick);
                 }
             }, acceptor)) {
            quick.sendFully(frame(new byte[1]), LIMIT);
            try (SocketStream slow = SocketConnector.connect(address, LIMIT)) {
                slow.sendFully(frame(new byte[2]), LIMIT);
                assertEquals(0, response(slow).remaining(), server::toString);
            } finally {
                enough.set(true);
            }
        }
    }

    /** Sends a request while the one before is being served, and takes the responses that are there. */
    private static void sendNext(SocketStream stream) {
        try {
            stream.receive(ByteBuffer.allocate(Frames.BUFFER));
            stream.sendFully(frame(new byte[1]), LIMIT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean opened(CountDownLatch latch) {
        try {
            return latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("poolsWhoseHandlersPromote")
    void aRequestThatIsShortKeepsTheLeader(Parts parts)
            throws Exception {
        Set<Thread> served = ConcurrentHashMap.newKeySet();
        RequestHandler shortOne = new RequestHandler() {
            @Override
            public void handleRequest(ByteBuffer request, ByteBuffer response) {
                served.add(Thread.currentThread());
            }

            @Override
            public boolean takesLong(ByteBuffer request) {
                return false;
            }
        };
        try (FramesServer server = new FramesServer(parts, shortOne, listen());
             SocketStream stream = SocketConnector.connect(server.address(), LIMIT)) {
            for (int i = 0; i < REQUESTS; i++) {
                stream.sendFully(frame(new byte[1]), LIMIT);
                assertEquals(0, response(stream).remaining(), server::toString);
            }
        }
        assertEquals(1, served.size(), served::toString);
    }

    static Stream<Parts> poolsWhoseHandlersPromote() {
        return allPools().filter(parts -> parts.strategy() == ConcurrencyStrategy.LEADER_FOLLOWERS
                && parts.pool().promotion() == Promotion.BY_HANDLER && parts.pool().handleSets() == 1);
    }

    @ParameterizedTest
    @MethodSource("pools")
    void theStopEndsConnections(Parts parts) throws Exception {
        SocketAcceptor acceptor = listen();
        try (FramesServer server = new FramesServer(parts, FramesProtocolTest::reverse, acceptor);
             SocketStream stream = SocketConnector.connect(server.address(), LIMIT)) {
            stream.sendFully(frame(new byte[] {1, 2}), LIMIT);
            assertEquals(reversed(new byte[] {1, 2}), response(stream));
            server.close();
            assertFalse(stream.receiveFully(ByteBuffer.allocate(1), LIMIT));
            assertFalse(acceptor.handle().isOpen());
        }
    }

    @ParameterizedTest
    @MethodSource("pools")
    @EnabledOnOs(OS.LINUX)
    void keepsNothingWhenItCannotBegin(Parts parts) throws Exception {
        failToServe(parts);
        // What the first one loads for all that follow may stay open.
        long before = openDescriptors();
        for (int i = 0; i < 10; i++) {
            failToServe(parts);
        }
        assertEquals(before, openDescriptors());
    }

    private static void failToServe(Parts parts) throws IOException {
        SocketAcceptor acceptor = listen();
        acceptor.close();
        assertThrows(IOException.class, () -> parts.serve(FramesProtocolTest::reverse, acceptor, new StopRequest()));
    }

    private static long openDescriptors() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.count();
        }
    }
}
