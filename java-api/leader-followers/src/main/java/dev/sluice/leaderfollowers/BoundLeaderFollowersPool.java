package dev.sluice.leaderfollowers;

import dev.sluice.deadline.Deadline;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.failure.Failures;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Registration;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The paper's Bound_LF_Thread_Pool (10.1): threads that share one connection, each waiting for the response to its own
 * request. They take turns leading; the leader receives every response and hands it to the thread that expects it,
 * until its own response has arrived.
 *
 * <p>The threads are those of a {@link LeaderFollowersPool}, or of a {@link MultipleLeadersPool}, for as long as they
 * wait. So a pool may serve several such connections, on any of its handle sets (10.2), and other handles as well
 * (hybrid thread associations, 10.3). A thread that waits for its response may have to dispatch requests that arrive in
 * the meantime, which keeps two peers from waiting for each other forever (hybrid client/servers, 10.4). The handle
 * whose hook waits is deactivated, as during any hook, so callbacks must come over a different connection than the call
 * they belong to.
 *
 * <p>With more than one source, each has its own leader. The leader that receives a response hands it to the thread
 * that expects it, even if that thread leads another source. Responses may come from a source of another kind (10.5):
 * the handler of a {@link QueueSource} then calls {@link #handOff} as the handler of a connection does, and declares
 * this by {@link ElementHandler#isBound()}. As the paper demands, there should be more threads than sources: otherwise
 * the threads that wait for responses rotate among the sources.
 *
 * <p>So several waiting hooks may be nested on one stack, up to a limit: when {@value #MAX_NESTING} hooks of a thread
 * wait for responses, or the number given to the constructor, the thread dispatches only responses, which come over the
 * connections registered here. It defers any other event it detects to the next thread of the pool that may dispatch
 * it: one whose waits are nested less deeply, or one that returns from a hook or joins. Until then the handle counts as
 * being dispatched, also with regard to its {@link EventHandler#handleClose}. So if callbacks nest more deeply than all
 * threads together allow, they are not answered before a call times out. This limit does not apply to a hook that calls
 * {@link MultipleLeadersPool#join(Duration)}.
 *
 * <p>The connection's event handler does all the I/O and calls {@link #handOff} for each complete response. The leader
 * calls it without promoting a new leader, so it must not block.
 *
 * @param <R> the type of the responses
 */
public final class BoundLeaderFollowersPool<R> {

    /** Default maximum number of hooks of one thread that may wait for responses at a time. */
    public static final int MAX_NESTING = 16;

    private final MultipleLeadersPool pool;
    private final int maxNesting;
    private final UnexpectedResponseHandler<R> unexpected;
    private final Map<Long, ThreadContext<R>> expected = new ConcurrentHashMap<>();
    private volatile @Nullable Throwable lost;

    /**
     * Creates a pool without a connection.
     *
     * @param pool       the pool whose threads wait; owned by the caller, which closes it after the last use of this
     *                   object
     * @param unexpected called for each response that no thread expects
     * @throws IllegalArgumentException if all threads of the pool wait at once: the operating system cannot wake the
     *                                  one of many waiters that an event is for
     */
    public BoundLeaderFollowersPool(MultipleLeadersPool pool, UnexpectedResponseHandler<R> unexpected) {
        this(pool, unexpected, MAX_NESTING);
    }

    /**
     * Creates a pool without a connection, with the given limit for nested waits.
     *
     * @param pool       the pool whose threads wait; owned by the caller, which closes it after the last use of this
     *                   object
     * @param unexpected called for each response that no thread expects
     * @param maxNesting maximum number of hooks of one thread that may wait for responses at a time, at least 1; hooks
     *                   that wait for other objects of this class in the same pool count as well
     * @throws IllegalArgumentException if it is less than 1, or if all threads of the pool wait at once
     */
    public BoundLeaderFollowersPool(MultipleLeadersPool pool, UnexpectedResponseHandler<R> unexpected, int maxNesting) {
        if (maxNesting < 1) {
            throw new IllegalArgumentException("maxNesting: " + maxNesting);
        }
        if (pool.isConcurrent()) {
            throw new IllegalArgumentException(pool + " has no leader; open it as an iterative one");
        }
        this.pool = pool;
        this.unexpected = Objects.requireNonNull(unexpected, "unexpected");
        this.maxNesting = maxNesting;
    }

    /**
     * Registers the connection with the handle set of the pool, and begins to receive. When the registration ends, the
     * waits of all threads fail.
     *
     * @param handle     the handle of the connection
     * @param connection its handler, to be registered for {@link Interest#READ}
     * @return the registration
     * @throws IllegalStateException if the pool has no handle set or more than one, see
     *                               {@link #register(HandleSetSource, Handle, EventHandler)}
     * @throws IOException           as {@link HandleSetSource#register(Handle, Interest, EventHandler, Promotion)}
     */
    public Registration register(Handle handle, EventHandler connection) throws IOException {
        List<HandleSetSource> handleSets = pool.handleSets();
        if (handleSets.size() != 1) {
            throw new IllegalStateException("the " + pool + " has " + handleSets.size()
                    + " handle sets; pass the one that is to receive from " + handle);
        }
        return register(handleSets.get(0), handle, connection);
    }

    /**
     * Registers the connection with one of the handle sets of the pool, and begins to receive. When the registration
     * ends, the waits of all threads fail.
     *
     * @param handleSet the handle set
     * @param handle     the handle of the connection
     * @param connection its handler, to be registered for {@link Interest#READ}
     * @return the registration
     * @throws IllegalArgumentException if the handle set does not belong to the pool: no thread that waits for a
     *                                  response would wait on it
     * @throws IOException              as {@link HandleSetSource#register(Handle, Interest, EventHandler, Promotion)}
     */
    public Registration register(HandleSetSource handleSet, Handle handle, EventHandler connection)
            throws IOException {
        if (!pool.handleSets().contains(handleSet)) {
            throw new IllegalArgumentException("the " + handleSet + " does not belong to the " + pool
                    + ": its threads would not wait on it");
        }
        return handleSet.register(handle, Interest.READ, new BoundEventHandler(this, connection),
                Promotion.BY_HANDLER);
    }

    /**
     * Announces that a thread will wait for a response. Must be called before the request is sent, or the response may
     * arrive first.
     *
     * @param requestId the number that identifies the response; unique among those expected now
     * @return the argument for {@link #join}
     * @throws IllegalStateException if a response with this number is already expected
     * @throws IOException           if the connection is lost
     */
    public ThreadContext<R> expectResponse(long requestId) throws IOException {
        ThreadContext<R> context = new ThreadContext<>(requestId);
        if (expected.putIfAbsent(requestId, context) != null) {
            throw new IllegalStateException("a " + context + " is expected already");
        }
        Throwable cause = lost;
        if (cause != null) {
            expected.remove(requestId, context);
            throw connectionLost(cause);
        }
        return context;
    }

    /**
     * Waits for a response, as a leader or a follower. In the meantime this thread may dispatch other events of the
     * pool, up to the limit for nested waits. Must be called once for each context, by one thread; may be called in a
     * hook.
     *
     * @param context the response to wait for
     * @param timeout the maximum time to wait; a hook that is running when it elapses is not interrupted
     * @return the response
     * @throws IllegalStateException  if it has been called for the context before
     * @throws SocketTimeoutException if the timeout elapses; the response is unexpected from then on
     * @throws HandleClosedException  if the pool is closed
     * @throws IOException            if the connection is lost, or the system call that waits fails
     */
    public R join(ThreadContext<R> context, Duration timeout) throws IOException {
        Deadline deadline = Deadline.in(timeout);
        if (context.thread != null) {
            throw new IllegalStateException("join: the " + context
                    + " has been joined before; call expectResponse for each request");
        }
        PoolThread self = pool.self();
        context.thread = self;
        boolean open;
        try {
            open = pool.join(self, deadline, context::isDone, maxNesting);
        } catch (Throwable e) {
            forget(context);
            throw e;
        }
        boolean missing = forget(context) || context.failure != null;
        if (missing && !open) {
            throw new HandleClosedException(pool.toString());
        }
        if (context.failure != null) {
            throw connectionLost(context.failure);
        }
        if (missing) {
            throw new SocketTimeoutException(context + " has not arrived within " + timeout);
        }
        R response = context.response;
        assert response != null;
        return response;
    }

    /**
     * Stops expecting a response.
     *
     * @return false if the response has arrived nevertheless
     */
    private boolean forget(ThreadContext<R> context) {
        expected.remove(context.requestId(), context);
        return context.complete(null, null);
    }

    /**
     * Hands a response to the thread that expects it, or reports it as unexpected. Called by the connection's handler.
     *
     * @param responseId the number that identifies it
     * @param response   the response
     * @return true if a thread expects it
     * @throws java.io.UncheckedIOException if the system refuses to wake the thread; it still gets the response when it
     *                                      wakes
     */
    public boolean handOff(long responseId, R response) {
        Objects.requireNonNull(response, "response");
        Long id = responseId;
        ThreadContext<R> context = expected.get(id);
        // Completed first: the thread must get the response even if there is no memory to remove the context.
        if (context == null || !complete(context, response, null)) {
            unexpected.handleUnexpected(responseId, response);
            return false;
        }
        expected.remove(id, context);
        return true;
    }

    private boolean complete(ThreadContext<R> context, @Nullable R response, @Nullable Throwable cause) {
        boolean inTime = context.complete(response, cause);
        if (inTime && context.thread != null) {
            pool.roles.recheck(context.thread);
        }
        return inTime;
    }

    /**
     * Promotes the thread that waits for a certain response to be the leader in the caller's place: the paper's
     * specific order. Called by the handler, which may know which response is next.
     *
     * @param successor the context of the thread to promote
     * @return true if that thread leads now; false if it is not a follower, or the caller is not a leader
     */
    public boolean promoteNewLeader(ThreadContext<R> successor) {
        PoolThread next = successor.thread;
        return next != null && pool.promoteNewLeader(next);
    }

    /**
     * Fails all waits in progress and all later ones.
     *
     * @throws java.io.UncheckedIOException if the system refuses to wake one of them
     */
    void lose(Throwable cause) {
        lost = cause;
        Throwable failure = null;
        // A thread that adds a context too late for this loop finds the connection lost. Contexts are removed after it,
        // so that a lack of memory for that prevents no wait from ending.
        for (ThreadContext<R> context : expected.values()) {
            try {
                complete(context, null, cause);
            } catch (Throwable e) {
                failure = Failures.and(failure, e);
            }
        }
        expected.clear();
        Failures.throwFirst(failure);
    }

    private static IOException connectionLost(Throwable cause) {
        return new IOException("the connection is lost" + (cause.getMessage() == null ? "" : ": " + cause.getMessage()),
                cause);
    }
}
