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
 * The open connections of one or more acceptors: counts them, limits their number, sends to all of them, and ends them
 * in order, whichever loops they are on. Every method may be called from any thread.
 */
// What takes members of loops is for the acceptors: the type is not exported, so programs cannot call it.
@SuppressWarnings("exports")
public final class Connections {

    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

    /** Messages of this size or more are copied once for all other loops, and not once for each connection. */
    private static final int SHARED_SIZE = 4096;
    private static final Runnable NOTHING = () -> { };
    /** Needs no memory, since connections are also closed when there is none. */
    private static final Consumer<AcceptorMember> RESUMPTION = Connections::resume;

    private final Map<LoopMember, Connection> open = new ConcurrentHashMap<>();
    private final List<AcceptorMember> acceptors = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Integer> stopped = new CompletableFuture<>();
    private volatile boolean stopping;

    // Guarded by the lock of this object

    private int limit = Integer.MAX_VALUE;
    /** The number of connections that are open, or are being accepted. */
    private int taken;
    /** Whether an acceptor has found no place since the last one became free. */
    private boolean awaited;

    /** Begins without a connection, and without a limit. */
    public Connections() {
    }

    /**
     * Limits the number of open connections. At the limit the acceptors pause, and further clients wait in the backlog,
     * unless they are {@linkplain ListenOptions#onRefusal refused}. A lower limit than before closes no connection.
     *
     * @param connections the maximum number, at least 1
     * @return this
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
            // The system must not go on to accept for them.
            acceptors.forEach(RESUMPTION);
        }
        resumeIfAwaited();
        return this;
    }

    /** {@return the number of open connections; a snapshot} */
    public int count() {
        return open.size();
    }

    /**
     * Calls an action for each open connection, by the calling thread. One that is opened or closed in the meantime is
     * included or not.
     *
     * @param action called for each
     */
    public void forEach(Consumer<? super Connection> action) {
        open.values().forEach(action);
    }

    /**
     * Sends bytes on every open connection, those of other loops included. Does not throw for one of them: one that has
     * ended is skipped, and one whose {@link OutputQueue#send} fails is closed.
     *
     * @param bytes the bytes from its position to its limit, which both stay as they are
     * @return the number of connections that the bytes were queued for, or sent on
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

    /** The peer would take the next message for this one. */
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
     * Ends the service in order: closes the listening sockets, asks all connections to finish, which receive what has
     * come, and by default send what is queued and then close, and closes those that are left at the deadline. The
     * loops continue to run. Of several calls the one with the earliest deadline counts.
     *
     * @param deadline the longest that connections have to finish, from now
     * @return completes when all have ended, at the deadline at the latest, with the number of connections that had
     *         not ended by then; by a thread that must not be blocked
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
            ended = stopping && taken == 0;
        }
        if (ended) {
            stopped.complete(0);
        }
    }

    // Called by acceptors

    /**
     * Adds a listening socket.
     *
     * @param acceptor resumed when there is a place again, and finished by {@link #stop}
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
     * @param acceptor added before
     * @hidden
     */
    public void remove(AcceptorMember acceptor) {
        acceptors.remove(acceptor);
    }

    /**
     * Takes a place for a connection that is about to be accepted. It must be {@linkplain #add(LoopMember, Connection)
     * filled} or {@linkplain #release given back}.
     *
     * @param acceptor added before
     * @return false if there is none: the acceptor is resumed when there is one again
     * @hidden
     */
    public synchronized boolean reserve(AcceptorMember acceptor) {
        Objects.requireNonNull(acceptor, "acceptor");
        if (taken >= limit) {
            awaited = true;
            return false;
        }
        taken++;
        return true;
    }

    /**
     * {@return whether there is a limit}
     *
     * @param acceptor added before
     * @hidden
     */
    public synchronized boolean isLimitedFor(AcceptorMember acceptor) {
        Objects.requireNonNull(acceptor, "acceptor");
        return limit < Integer.MAX_VALUE;
    }

    /**
     * Gives a place back for which no connection was added.
     *
     * @param acceptor has reserved it
     * @hidden
     */
    public void release(AcceptorMember acceptor) {
        Objects.requireNonNull(acceptor, "acceptor");
        free();
    }

    /**
     * Adds a connection that has been accepted on a reserved place, or replaces the object that programs see.
     *
     * @param member     the connection as a member of its loop
     * @param connection as programs see it
     * @hidden
     */
    public void add(LoopMember member, Connection connection) {
        // If this throws, the place is still the caller's.
        boolean added = open.put(member, connection) == null;
        if (added && stopping) {
            try {
                finish(member);
            } catch (Throwable e) {
                // It is closed at the deadline.
                HookFailure.log(LOG, member, "finish", e);
            }
        }
    }

    /**
     * Removes a connection that has ended, and frees its place.
     *
     * @param member nothing happens if it has been removed already, or was never added
     * @hidden
     */
    public void remove(LoopMember member) {
        if (open.remove(member) != null) {
            free();
        }
    }

    /** Frees the place of a connection that is not, or not any more, among those that are open. */
    void free() {
        synchronized (this) {
            taken--;
        }
        resumeIfAwaited();
        completeIfStopped();
    }

    private void resumeIfAwaited() {
        synchronized (this) {
            if (!awaited || taken >= limit) {
                return;
            }
            awaited = false;
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
