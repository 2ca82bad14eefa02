package dev.sluice.stages.io;

import dev.sluice.calls.Bindings;
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
 * share, on one proactor. Who made the proactor runs it until the graph has been stopped, and closes it then. A graph
 * may have several of these, each on a proactor of its own.
 *
 * <p>When the graph is stopped, nothing is read or accepted any more; what has been given to connections is sent,
 * within the deadline; then the connections are closed. A peer that does not read what is sent to it uses up the
 * deadline; what has not been sent by then is told of as that, see {@link AsyncConnection#send(ByteBuffer, Object,
 * EventQueue)}. All other events that nobody has taken by the time that the read stage has ended are dropped.
 *
 * <p>Bounds: so many connections, and for each of them the proactor's share of provided buffers, and the outgoing
 * queue; and the buffers that all of them keep together. {@link StageGraph#mostEvents()} has these buffers, the packets
 * of the outgoing queues, and the few events that a connection keeps by itself; not what is copied that was under way
 * when all buffers were in use, nor the bytes of anything.
 */
public final class SocketStages {

    /** The most listening sockets. */
    public static final int MAX_LISTENERS = 1024;

    /** A packet that had no room, an overrun, the end of what is received, and that of the connection. */
    private static final long KEPT_OF_CONNECTION = 4;

    final Proactor proactor;
    final SocketOptions options;
    final RetainedBuffers retained;
    final RequestHandler listening;
    final RequestHandler reading;
    final RequestHandler writing;
    private final int mostConnections;
    private final Semaphore freeSlots;
    private final Semaphore freeListeners = new Semaphore(MAX_LISTENERS);
    private final Set<AsyncConnection> open = ConcurrentHashMap.newKeySet();
    private final Set<AsyncServerSocket> servers = ConcurrentHashMap.newKeySet();
    /** Which connections have received into on demand that have ended. */
    private final Queue<ByteBuffer> spareBuffers = new ConcurrentLinkedQueue<>();
    private final Queue<SocketRequest> waitingForSlot = new ConcurrentLinkedQueue<>();

    /**
     * Adds the stages {@code NAME-listen}, {@code NAME-read} and {@code NAME-write} to a graph.
     *
     * @param graph    which has not been started
     * @param name     for their names
     * @param proactor to execute the operations
     * @param options  the bounds
     * @throws IllegalArgumentException if the graph has stages of these names
     * @throws IllegalStateException    if the graph has been started
     */
    public SocketStages(StageGraph graph, String name, Proactor proactor, SocketOptions options) {
        this.proactor = Objects.requireNonNull(proactor, "proactor");
        this.options = options;
        mostConnections = options.connections;
        freeSlots = new Semaphore(mostConnections);
        retained = new RetainedBuffers(proactor, options.maxRetainedBuffers);
        boolean fixedOrder = isOfFixedOrder(proactor.demultiplexer());
        // A connection that has been accepted, or the end.
        listening = new RequestHandler(fixedOrder, MAX_LISTENERS, () -> servers.forEach(AsyncServerSocket::close));
        reading = new RequestHandler(fixedOrder, options.maxRetainedBuffers + KEPT_OF_CONNECTION * mostConnections,
                () -> open.forEach(connection -> connection.reading.stop()));
        writing = new RequestHandler(fixedOrder, (long) options.outgoingPackets * mostConnections,
                () -> open.forEach(AsyncConnection::close));
        listening.setStage(add(graph, name + "-listen", listening, MAX_LISTENERS, new StageOptions<>()));
        reading.setStage(add(graph, name + "-read", reading, mostConnections, new StageOptions<>()));
        // For each connection its request, and the one that has made it.
        writing.setStage(add(graph, name + "-write", writing, 2 * mostConnections,
                new StageOptions<SocketRequest>().stoppedLast()));
    }

    /**
     * Adds the stages with the usual bounds, see {@link #SocketStages(StageGraph, String, Proactor, SocketOptions)}.
     *
     * @param graph    which has not been started
     * @param name     for the names of the stages
     * @param proactor to execute the operations
     */
    public SocketStages(StageGraph graph, String name, Proactor proactor) {
        this(graph, name, proactor, new SocketOptions());
    }

    private Stage<SocketRequest> add(StageGraph graph, String name, RequestHandler handler, int capacity,
                                     StageOptions<SocketRequest> stageOptions) {
        return graph.add(name, SocketRequest.class, handler, stageOptions.capacity(capacity).loop(proactor));
    }

    /** {@return whether a mechanism reports sockets in the order of their numbers, whatever has happened first} */
    static boolean isOfFixedOrder(String mechanism) {
        return mechanism.equals("poll") || mechanism.equals("select");
    }

    /**
     * {@return how many connections are open, are being made, or have been closed and keep something that their
     * application has no room for, such as the event that says so}
     */
    public int connections() {
        return mostConnections - freeSlots.availablePermits();
    }

    // For the sockets

    /** {@return a buffer to receive into on demand} */
    ByteBuffer takeBuffer() {
        ByteBuffer spare = spareBuffers.poll();
        return spare == null ? Bindings.current().memory().allocateBuffer(options.demand) : spare;
    }

    void giveBufferBack(ByteBuffer buffer) {
        spareBuffers.add(buffer);
    }

    /** {@return whether there may be another connection; then it is counted} */
    boolean takeSlot() {
        return freeSlots.tryAcquire();
    }

    /** Has a request be signalled when there may be another connection. */
    void awaitSlot(SocketRequest request) {
        waitingForSlot.add(request);
        offerSlot();
    }

    /** Has others be signalled instead, also if this one has been, and there was no point in it. */
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

    /** {@return whether there may be another listening socket; then it is counted} */
    boolean takeListener(AsyncServerSocket server) {
        return freeListeners.tryAcquire() && servers.add(server);
    }

    void ended(AsyncServerSocket server) {
        if (servers.remove(server)) {
            freeListeners.release();
        }
    }
}
