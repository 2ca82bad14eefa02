package dev.sluice.samples.stages;

import dev.sluice.proactor.ProactorGroup;
import dev.sluice.samples.Patience;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageContext;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.StageOptions;
import dev.sluice.stages.ThreadPoolController;
import dev.sluice.stages.io.AsyncConnection;
import dev.sluice.stages.io.AsyncServerSocket;
import dev.sluice.stages.io.EndOfInput;
import dev.sluice.stages.io.Packet;
import dev.sluice.stages.io.SocketEvent;
import dev.sluice.stages.io.SocketStages;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A small staged server: each packet is a request, which a cache answers, or a slow store, or which is refused if too
 * many wait for the store.
 */
final class StagedService implements AutoCloseable {

    /** The name of a stage that gets no events: pages must escape it. */
    static final String STRANGE = "a\"<b onclick=\"x\">";
    static final byte ANSWER = 'a';
    static final byte REFUSAL = 'r';

    private static final int HITS = 70;
    private static final int STORE_THRESHOLD = 12;

    final StageGraph graph = new StageGraph("small staged service");
    final InetSocketAddress address;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final ProactorGroup loop;

    /** A request on its way. */
    private record Request(AsyncConnection connection, boolean isStored) {
    }

    /** A reply on its way. */
    private record Answer(AsyncConnection connection, byte octet) {
    }

    StagedService() throws Exception {
        loop = ProactorGroup.open(1);
        loop.onFailure(failure::set);
        SocketStages sockets = new SocketStages(graph, "tcp", loop.loops().get(0));
        Stage<SocketEvent> parse = graph.add("parse", SocketEvent.class, new Parse(),
                new StageOptions<SocketEvent>().recordResponseTimes());
        graph.add("cache", Request.class, new Cache(), new StageOptions<Request>().recordResponseTimes());
        graph.add("store", Request.class, new Store(), new StageOptions<Request>().recordResponseTimes().capacity(64)
                .threshold(STORE_THRESHOLD).batch(4).ownThreads(1, 6)
                .control(new ThreadPoolController().queueThreshold(4).period(Duration.ofMillis(200))));
        graph.add("send", Answer.class, new Send(), new StageOptions<Answer>().recordResponseTimes());
        graph.add(STRANGE, Integer.class, batch -> { });
        AsyncServerSocket listening = new AsyncServerSocket(sockets,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), parse.queue());
        address = (InetSocketAddress) listening.localAddress();
        graph.start();
        loop.start();
    }

    /** Takes connections and their packets. */
    private static final class Parse implements StageHandler<SocketEvent> {

        private EventQueue<SocketEvent> own;
        private EventQueue<Request> cache;

        @Override
        public void handleStart(StageContext context) {
            own = context.queue("parse", SocketEvent.class);
            cache = context.queue("cache", Request.class);
        }

        @Override
        public void handleEvents(EventBatch<SocketEvent> batch) throws InterruptedException {
            for (SocketEvent event = batch.next(); event != null; event = batch.next()) {
                if (event instanceof AsyncConnection connection) {
                    connection.startReading(own);
                } else if (event instanceof Packet packet) {
                    cache.enqueue(new Request(packet.connection(), false), Patience.LIMIT);
                } else if (event instanceof EndOfInput ended) {
                    ended.connection().closeAfterSending();
                }
            }
        }
    }

    /** Knows most answers, or gets to know them from the store. */
    private static final class Cache implements StageHandler<Request> {

        private EventQueue<Request> store;
        private EventQueue<Answer> send;

        @Override
        public void handleStart(StageContext context) {
            store = context.queue("store", Request.class);
            send = context.queue("send", Answer.class);
        }

        @Override
        public void handleEvents(EventBatch<Request> batch) throws InterruptedException {
            for (Request request = batch.next(); request != null; request = batch.next()) {
                byte answer = ANSWER;
                if (!request.isStored && ThreadLocalRandom.current().nextInt(100) >= HITS) {
                    if (store.enqueue(request) == EnqueueResult.ACCEPTED) {
                        continue;
                    }
                    answer = REFUSAL;
                }
                send.enqueue(new Answer(request.connection, answer), Patience.LIMIT);
            }
        }
    }

    /** Takes its time. */
    private static final class Store implements StageHandler<Request> {

        private EventQueue<Request> cache;

        @Override
        public void handleStart(StageContext context) {
            cache = context.queue("cache", Request.class);
        }

        @Override
        public void handleEvents(EventBatch<Request> batch) throws InterruptedException {
            for (Request request = batch.next(); request != null; request = batch.next()) {
                Thread.sleep(5);
                cache.enqueue(new Request(request.connection, true), Patience.LIMIT);
            }
        }
    }

    /** Sends replies. */
    private static final class Send implements StageHandler<Answer> {

        @Override
        public void handleEvents(EventBatch<Answer> batch) {
            for (Answer answer = batch.next(); answer != null; answer = batch.next()) {
                answer.connection.send(ByteBuffer.wrap(new byte[] {answer.octet}));
            }
        }
    }

    @Override
    public void close() {
        graph.stop(Patience.LIMIT);
        loop.close();
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }
}
