package dev.sluice.connection;

import dev.sluice.deadline.Timeout;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.spi.AcceptorMember;
import dev.sluice.eventloop.spi.LoopMember;
import dev.sluice.hook.HookFailure;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A registry of the open connections of one or more acceptors, on any loops: counts them, limits their number, sends to
 * all of them, and ends them in order. All methods may be called from any thread.
 */
// Methods with members of loops are for the acceptors. Their types are not exported, so programs cannot call them.
@SuppressWarnings("exports")
public final class Connections {

    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

    /** Messages of at least this size are copied once for all other loops, and not once for each connection. */
    private static final int SHARED_SIZE = 4096;
    private static final Runnable NOTHING = () -> { };
    /** Resumes an acceptor. A constant, because connections are closed even if there is no memory. */
    private static final Consumer<AcceptorMember> RESUMPTION = Connections::resume;

    private final Map<LoopMember, Connection> open = new ConcurrentHashMap<>();
    private final List<AcceptorMember> acceptors = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Integer> stopped = new CompletableFuture<>();
    private volatile boolean stopping;

    // Guarded by the lock of this object

    private int limit = Integer.MAX_VALUE;
    /** Number of connections that are open or being accepted. */
    private int reserved;
    /** Whether an acceptor has failed to reserve a place since acceptors were last resumed. */
    private boolean acceptorsWaiting;

    /** Creates an empty registry without a limit. */
    public Connections() {
    }

    /**
     * Limits the number of open connections. At the limit the acceptors pause, and further clients wait in the backlog,
     * unless they are {@linkplain ListenOptions#onRefusal rejected}. Reducing the limit does not close connections.
     *
     * @param connections the maximum number, at least 1
     * @return this registry
     */
    public Connections limit(int connections) {
        if (connections < 1) {
            throw new IllegalArgumentException("connections: " + connections);
        }
        boolean first;
        synchronized (this) {
            first = limit == Integer.MAX_VALUE;
            limit = connections;
        }
        if (first) {
            // Acceptors without a limit may have a continuous accept in progress, which they must end.
            acceptors.forEach(RESUMPTION);
        }
        resumeAcceptors();
        return this;
    }

    /** {@return the number of open connections; a snapshot} */
    public int count() {
        return open.size();
    }

    /**
     * Calls an action for each open connection, on the calling thread. Connections that are opened or closed in the
     * meantime may or may not be included.
     *
     * @param action the action
     */
    public void forEach(Consumer<? super Connection> action) {
        open.values().forEach(action);
    }

    /**
     * Sends bytes on all open connections, including those of other loops. Connections that have ended are skipped, and
     * those whose {@link OutputQueue#send} fails are closed, without an exception.
     *
     * @param bytes the bytes from position to limit, which are not changed
     * @return the number of connections for which the bytes were queued or sent
     */
    public int broadcast(ByteBuffer bytes) {
        ByteBuffer own = bytes.duplicate();
        ByteBuffer shared = null;
        int reached = 0;
        for (Connection each : open.values()) {
            try {
                boolean accepted;
                if (bytes.remaining() < SHARED_SIZE || isLocal(each)) {
                    accepted = each.output().send(own.position(bytes.position()));
                } else {
                    if (shared == null) {
                        shared = ByteBuffer.allocateDirect(bytes.remaining()).put(bytes.duplicate()).flip();
                    }
                    accepted = each.output().send(shared.duplicate(), NOTHING);
                }
                reached += accepted ? 1 : 0;
            } catch (IllegalStateException e) {
                LOG.debug("{} has been closed", each, e);
            } catch (Throwable e) {
                fail(each, e);
            }
        }
        return reached;
    }

    /** Closes a connection that cannot send a message, because its peer would receive the next message instead. */
    private static void fail(Connection connection, Throwable cause) {
        HookFailure.log(LOG, connection, "a broadcast", cause);
        try {
            connection.close();
        } catch (Throwable e) {
            HookFailure.logUndelivered(connection, cause, e);
        }
    }

    private static boolean isLocal(Connection connection) {
        return connection.loop() instanceof EventLoop loop && loop.inEventLoop();
    }

    /**
     * Ends the service in order: closes the listening sockets, asks all connections to finish, and closes connections
     * that have not finished at the deadline. A connection that is asked to finish receives the bytes that have
     * arrived, and by default sends its queued output and then closes. The loops continue to run. If called several
     * times, the earliest deadline applies.
     *
     * @param deadline the maximum time for connections to finish, from now
     * @return a stage that is completed when all have ended, at the latest at the deadline, with the number of
     *         connections that had not ended by then; dependent actions run on a thread that must not be blocked
     * @throws IllegalArgumentException if the deadline is negative
     */
    public CompletionStage<Integer> stop(Duration deadline) {
        long nanos = Timeout.nanos("deadline", deadline);
        stopping = true;
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, Runnable::run).execute(this::endRest);
        acceptors.forEach(Connections::finish);
        open.keySet().forEach(Connections::finish);
        completeIfStopped();
        return stopped.minimalCompletionStage();
    }

    private static void finish(LoopMember member) {
        try {
            member.loop().execute(member::beginFinish);
        } catch (RejectedExecutionException e) {
            LOG.debug("{} ends with its loop", member, e);
        }
    }

    private void endRest() {
        int left = open.size();
        open.keySet().forEach(Connections::end);
        stopped.complete(left);
    }

    private static void end(LoopMember member) {
        try {
            member.endSoon();
        } catch (RejectedExecutionException e) {
            LOG.debug("{} ends with its loop", member, e);
        }
    }

    private void completeIfStopped() {
        boolean ended;
        synchronized (this) {
            ended = stopping && reserved == 0;
        }
        if (ended) {
            stopped.complete(0);
        }
    }

    // Called by acceptors

    /**
     * Adds a listening socket.
     *
     * @param acceptor the acceptor, which is resumed when there is a place again, and finished by {@link #stop}
     * @hidden
     */
    public void add(AcceptorMember acceptor) {
        acceptors.add(acceptor);
        if (stopping) {
            finish(acceptor);
        }
    }

    /**
     * Removes a listening socket that has been closed.
     *
     * @param acceptor the acceptor
     * @hidden
     */
    public void remove(AcceptorMember acceptor) {
        acceptors.remove(acceptor);
    }

    /**
     * Reserves a place for a connection that is about to be accepted. The caller must {@linkplain #add(LoopMember,
     * Connection) add} a connection or {@linkplain #release release} the place.
     *
     * @param acceptor an acceptor that has been added
     * @return false if there is none; the acceptor is resumed when there is one again
     * @hidden
     */
    public synchronized boolean reserve(AcceptorMember acceptor) {
        Objects.requireNonNull(acceptor, "acceptor");
        if (reserved >= limit) {
            acceptorsWaiting = true;
            return false;
        }
        reserved++;
        return true;
    }

    /**
     * {@return whether there is a limit}
     *
     * @param acceptor an acceptor that has been added
     * @hidden
     */
    public synchronized boolean isLimitedFor(AcceptorMember acceptor) {
        Objects.requireNonNull(acceptor, "acceptor");
        return limit < Integer.MAX_VALUE;
    }

    /**
     * Releases a place for which no connection was added.
     *
     * @param acceptor the acceptor that has reserved it
     * @hidden
     */
    public void release(AcceptorMember acceptor) {
        Objects.requireNonNull(acceptor, "acceptor");
        free();
    }

    /**
     * Adds a connection for which a place is reserved, or replaces its public object.
     *
     * @param member     the connection as a member of its loop
     * @param connection the connection for programs
     * @hidden
     */
    public void add(LoopMember member, Connection connection) {
        // If this throws, the caller still owns the place.
        boolean added = open.put(member, connection) == null;
        if (added && stopping) {
            try {
                finish(member);
            } catch (Throwable e) {
                // The deadline closes it.
                HookFailure.log(LOG, member, "finish", e);
            }
        }
    }

    /**
     * Removes a connection that has ended, and releases its place. Does nothing if it is not in the registry.
     *
     * @param member the connection as a member of its loop
     * @hidden
     */
    public void remove(LoopMember member) {
        if (open.remove(member) != null) {
            free();
        }
    }

    /** Releases the place of a connection that is not in the registry. */
    void free() {
        synchronized (this) {
            reserved--;
        }
        resumeAcceptors();
        completeIfStopped();
    }

    private void resumeAcceptors() {
        synchronized (this) {
            if (!acceptorsWaiting || reserved >= limit) {
                return;
            }
            acceptorsWaiting = false;
        }
        acceptors.forEach(RESUMPTION);
    }

    private static void resume(AcceptorMember acceptor) {
        try {
            acceptor.resume();
        } catch (Throwable e) {
            HookFailure.log(LOG, acceptor, "a place for another connection", e);
        }
    }
}
