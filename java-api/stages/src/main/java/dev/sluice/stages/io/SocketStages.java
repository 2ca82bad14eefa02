package dev.sluice.stages.io;

import dev.sluice.calls.Bindings;
import dev.sluice.failure.Failures;
import dev.sluice.proactor.Proactor;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageOptions;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/**
 * The paper's asyncSocket layer (figure 10): a listen, a read and a write stage of a graph, which all of its sockets
 * share, on one proactor. The caller runs the proactor until the graph has been stopped, and then closes it. A graph
 * may have several such layers, each on a proactor of its own.
 *
 * <p>When the graph is stopped, nothing is read or accepted any more; accepted packets are sent, within the deadline;
 * then the connections are closed. A peer that does not read delays this until the deadline; packets that have not been
 * sent by then are reported as not sent, see {@link AsyncConnection#send(ByteBuffer, Object, EventQueue)}. All other
 * events that have not been taken when the read stage ends are dropped.
 *
 * <p>Bounds: a maximum number of connections, and for each of them a share of the proactor's provided buffers, and the
 * outgoing queue; and the buffers that all of them retain together. In addition, a connection keeps a few events;
 * packets that are copied because all buffers are in use are not bounded.
 */
public final class SocketStages {

    /** Maximum number of listening sockets. */
    public static final int MAX_LISTENERS = 1024;

    final Proactor proactor;
    final SocketOptions options;
    final RetainedBuffers retained;
    final RequestHandler listening;
    final RequestHandler reading;
    final RequestHandler writing;
    private final int maxConnections;
    private final Semaphore freeSlots;
    private final Semaphore freeListeners = new Semaphore(MAX_LISTENERS);
    private final Set<AsyncConnection> open = ConcurrentHashMap.newKeySet();
    private final Set<AsyncServerSocket> servers = ConcurrentHashMap.newKeySet();
    /** Buffers for receiving on demand, from connections that have ended. */
    private final Queue<ByteBuffer> spareBuffers = new ConcurrentLinkedQueue<>();
    private final Queue<SocketRequest> waitingForSlot = new ConcurrentLinkedQueue<>();

    /**
     * Adds the stages {@code NAME-listen}, {@code NAME-read} and {@code NAME-write} to a graph.
     *
     * @param graph the graph, started or not
     * @param name the prefix of their names
     * @param proactor the proactor that executes the operations
     * @param options the limits
     * @throws IllegalArgumentException if the graph has stages of these names
     * @throws IllegalStateException    if the graph has been stopped
     */
    public SocketStages(StageGraph graph, String name, Proactor proactor, SocketOptions options) {
        this.proactor = Objects.requireNonNull(proactor, "proactor");
        this.options = options;
        maxConnections = options.connections;
        freeSlots = new Semaphore(maxConnections);
        retained = new RetainedBuffers(proactor, options.maxRetainedBuffers);
        boolean fixedOrder = isOfFixedOrder(proactor.demultiplexer());
        listening = new RequestHandler(fixedOrder, () -> Failures.forEach(servers, AsyncServerSocket::close));
        reading = new RequestHandler(fixedOrder, () -> Failures.forEach(open, connection -> connection.reading.stop()));
        writing = new RequestHandler(fixedOrder, () -> Failures.forEach(open, AsyncConnection::close));
        listening.setStage(add(graph, name + "-listen", listening, MAX_LISTENERS, new StageOptions<>()));
        reading.setStage(add(graph, name + "-read", reading, maxConnections, new StageOptions<>()));
        // For each connection its own request, and the one of its source.
        writing.setStage(add(graph, name + "-write", writing, 2 * maxConnections,
                new StageOptions<SocketRequest>().stopLast()));
    }

    /**
     * Adds the stages with the default limits, see {@link #SocketStages(StageGraph, String, Proactor, SocketOptions)}.
     *
     * @param graph the graph, started or not
     * @param name the prefix of the stages' names
     * @param proactor the proactor that executes the operations
     */
    public SocketStages(StageGraph graph, String name, Proactor proactor) {
        this(graph, name, proactor, new SocketOptions());
    }

    private Stage<SocketRequest> add(StageGraph graph, String name, RequestHandler handler, int capacity,
                                     StageOptions<SocketRequest> stageOptions) {
        return graph.add(name, SocketRequest.class, handler, stageOptions.capacity(capacity).loop(proactor));
    }

    /** {@return whether a mechanism always reports sockets in the order of their numbers} */
    static boolean isOfFixedOrder(String mechanism) {
        return mechanism.equals("poll") || mechanism.equals("select");
    }

    /**
     * {@return the number of connections that are open, are being established, or have been closed and keep an event
     * that waits for space in the application's queue, such as the {@link ConnectionClosed}}
     */
    public int connections() {
        return maxConnections - freeSlots.availablePermits();
    }

    // For the sockets

    /** {@return a buffer to receive into on demand} */
    ByteBuffer takeBuffer() {
        ByteBuffer spare = spareBuffers.poll();
        return spare == null ? Bindings.current().memory().allocateBuffer(options.demand) : spare;
    }

    void releaseBuffer(ByteBuffer buffer) {
        spareBuffers.add(buffer);
    }

    /**
     * Counts a connection.
     *
     * @return false if the maximum is reached
     */
    boolean takeSlot() {
        return freeSlots.tryAcquire();
    }

    /** Signals a request when the number of connections is below the maximum. It waits once, however often it calls. */
    void awaitSlot(SocketRequest request) {
        if (!waitingForSlot.contains(request)) {
            waitingForSlot.add(request);
        }
        offerSlot();
    }

    /** Withdraws a request that waits for a slot. If it was signalled, the signal is passed to another one. */
    void awaitNoSlot(SocketRequest request) {
        waitingForSlot.removeIf(waiting -> waiting == request);
        offerSlot();
    }

    private void offerSlot() {
        if (freeSlots.availablePermits() > 0) {
            signalOne();
        }
    }

    void giveSlotBack() {
        freeSlots.release();
        signalOne();
    }

    private void signalOne() {
        SocketRequest request = waitingForSlot.poll();
        if (request != null) {
            request.signal();
        }
    }

    void opened(AsyncConnection connection) {
        open.add(connection);
    }

    void closed(AsyncConnection connection) {
        if (open.remove(connection)) {
            giveSlotBack();
        }
    }

    /**
     * Counts a listening socket.
     *
     * @return false if the maximum is reached
     */
    boolean takeListener(AsyncServerSocket server) {
        return freeListeners.tryAcquire() && servers.add(server);
    }

    void ended(AsyncServerSocket server) {
        if (servers.remove(server)) {
            freeListeners.release();
        }
    }
}
