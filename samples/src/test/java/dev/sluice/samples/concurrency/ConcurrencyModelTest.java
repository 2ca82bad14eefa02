package dev.sluice.samples.concurrency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.demultiplexer.DemultiplexerFactory;
import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.demultiplexer.HandleSetKind;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.leaderfollowers.Promotion;
import java.io.Closeable;
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
import java.util.EnumSet;
import java.util.List;
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
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The same service, whatever the model. */
class ConcurrencyModelTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    /** A request that ends when as many are being served as there are threads. */
    private static final byte BLOCKING = 1;
    private static final int THREADS = 4;
    private static final int CLIENTS = 12;
    private static final int REQUESTS = 100;

    /** Every model on every mechanism; what pools there can be on the best mechanism of each kind alone. */
    static Stream<Arguments> setups() {
        return models().flatMap(model -> {
            Set<HandleSetKind> met = EnumSet.noneOf(HandleSetKind.class);
            return factories(model).flatMap(factory -> model.pools(factory).stream()
                    .limit(met.add(factory.handleSetKind()) ? Long.MAX_VALUE : 1)
                    .map(pool -> Arguments.of(model, factory.name(), pool)));
        });
    }

    /** Every model on the best mechanism, with every pool that it can have there. */
    static Stream<Arguments> pools() {
        return models().flatMap(model -> factories(model).limit(1).flatMap(factory ->
                model.pools(factory).stream().map(pool -> Arguments.of(model, factory.name(), pool))));
    }

    private static Stream<ConcurrencyModel> models() {
        return Arrays.stream(ConcurrencyModel.values()).filter(ConcurrencyModel::isAvailable);
    }

    private static Stream<DemultiplexerFactory> factories(ConcurrencyModel model) {
        return Demultiplexers.available().stream()
                .filter(factory -> model.worksOn(factory) && factory.availability().usable());
    }

    /** On two handle sets where there can be more than one. */
    private static Arrangement parts(String demultiplexer, int threads, PoolDesign pool) {
        return new Arrangement(demultiplexer, threads, Math.min(threads, 2), pool);
    }

    @ParameterizedTest
    @MethodSource("setups")
    void everyRequestGetsItsResponse(ConcurrencyModel model, String demultiplexer, PoolDesign pool)
            throws Exception {
        SocketAcceptor acceptor = listen();
        SocketAddress address = acceptor.localAddress();
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try (Closeable server = model.open(acceptor, ConcurrencyModelTest::reverse,
                parts(demultiplexer, THREADS, pool))) {
            List<Future<Void>> results = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int seed = i;
                results.add(clients.submit(client(address, seed)));
            }
            for (Future<Void> result : results) {
                result.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
            assertTrue(acceptor.handle().isOpen(), () -> server + " serves on");
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

    static Stream<Arguments> poolsOfManyThreads() {
        Set<ConcurrencyModel> others = EnumSet.of(ConcurrencyModel.REACTOR, ConcurrencyModel.REACTOR_PER_THREAD,
                ConcurrencyModel.PROACTOR_PER_THREAD, ConcurrencyModel.CONCURRENT_PROACTOR);
        return pools().filter(setup -> !others.contains(setup.get()[0]));
    }

    @ParameterizedTest
    @MethodSource("poolsOfManyThreads")
    void requestsThatBlockAreServedAtOnce(ConcurrencyModel model, String demultiplexer, PoolDesign pool)
            throws Exception {
        CountDownLatch together = new CountDownLatch(THREADS);
        SocketAcceptor acceptor = listen();
        SocketAddress address = acceptor.localAddress();
        List<SocketStream> streams = new ArrayList<>();
        try (Closeable server = model.open(acceptor, (request, response) -> {
            if (request.get(request.position()) == BLOCKING) {
                together.countDown();
                response.put((byte) (opened(together) ? 1 : 0));
            }
        }, parts(demultiplexer, THREADS, pool))) {
            for (int i = 0; i < THREADS; i++) {
                SocketStream stream = SocketConnector.connect(address, LIMIT);
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

    static Stream<Arguments> setupsOfFewThreads() {
        Set<ConcurrencyModel> others = EnumSet.of(ConcurrencyModel.REACTOR_PER_THREAD,
                ConcurrencyModel.THREAD_PER_CONNECTION, ConcurrencyModel.VIRTUAL_THREAD_PER_CONNECTION);
        return setups().filter(setup -> !others.contains(setup.get()[0]));
    }

    @ParameterizedTest
    @MethodSource("setupsOfFewThreads")
    void theQuickestClientDoesNotKeepTheServerForItself(ConcurrencyModel model, String demultiplexer,
            PoolDesign pool) throws Exception {
        SocketAcceptor acceptor = listen();
        SocketAddress address = acceptor.localAddress();
        AtomicBoolean enough = new AtomicBoolean();
        try (SocketStream quick = SocketConnector.connect(address, LIMIT);
             Closeable server = model.open(acceptor, (request, response) -> {
                 if (request.remaining() == 1 && !enough.get()) {
                     sendNext(quick);
                 }
             }, parts(demultiplexer, 1, pool))) {
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
    @MethodSource("poolsOfLeaderFollowers")
    void aRequestThatIsShortKeepsTheLeader(ConcurrencyModel model, String demultiplexer, PoolDesign pool)
            throws Exception {
        assumeTrue(pool.promotion() == Promotion.BY_HANDLER);
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
        SocketAcceptor acceptor = listen();
        SocketAddress address = acceptor.localAddress();
        try (Closeable server = model.open(acceptor, shortOne, new Arrangement(demultiplexer, THREADS, 1, pool));
             SocketStream stream = SocketConnector.connect(address, LIMIT)) {
            for (int i = 0; i < REQUESTS; i++) {
                stream.sendFully(frame(new byte[1]), LIMIT);
                assertEquals(0, response(stream).remaining(), server::toString);
            }
        }
        assertEquals(1, served.size(), served::toString);
    }

    static Stream<Arguments> poolsOfLeaderFollowers() {
        return pools().filter(setup -> setup.get()[2] != PoolDesign.NONE);
    }

    @ParameterizedTest
    @MethodSource("pools")
    void closeCutsConnections(ConcurrencyModel model, String demultiplexer, PoolDesign pool) throws Exception {
        SocketAcceptor acceptor = listen();
        SocketAddress address = acceptor.localAddress();
        Closeable server = model.open(acceptor, ConcurrencyModelTest::reverse,
                parts(demultiplexer, THREADS, pool));
        try (SocketStream stream = SocketConnector.connect(address, LIMIT)) {
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
    void keepsNothingWhenItCannotBegin(ConcurrencyModel model, String demultiplexer, PoolDesign pool) throws Exception {
        failToOpen(model, parts(demultiplexer, THREADS, pool));
        // What the first one loads for all that follow may stay open.
        long before = openDescriptors();
        for (int i = 0; i < 10; i++) {
            failToOpen(model, parts(demultiplexer, THREADS, pool));
        }
        assertEquals(before, openDescriptors());
    }

    private static void failToOpen(ConcurrencyModel model, Arrangement parts) throws IOException {
        SocketAcceptor acceptor = listen();
        acceptor.close();
        assertThrows(IOException.class, () ->
                model.open(acceptor, ConcurrencyModelTest::reverse, parts).close());
    }

    private static long openDescriptors() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.count();
        }
    }
}
