package dev.sluice.leaderfollowers;

import dev.sluice.deadline.Deadline;
import dev.sluice.failure.CloseSteps;
import dev.sluice.failure.Failures;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.hook.HookFailure;
import dev.sluice.trace.DispatchTrace;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Threads that take turns waiting on event sources, with one leader for each source: the variants "multiple leaders
 * and multiple followers" and "alternative event sources" of the Leader/Followers paper (10.2, 10.5). A thread that
 * joins leads the first source that has no leader.
 *
 * <p>There should be more threads than sources, as the paper demands (10.5). While fewer are free, because fewer have
 * joined or because hooks are running, the leaders rotate among the sources. Every source is served as soon as any
 * thread is free, but an event on a source without a leader may be detected up to 10 milliseconds later for each such
 * source, and the leaders of an idle pool wake up at this interval. The pool cannot require more threads: they join one
 * by one, and a hook may occupy any of them.
 *
 * <p>The pool creates no threads. A thread joins by {@link #join()}, which returns when the pool is closed, the timeout
 * elapses or the thread is {@linkplain #remove removed}. These should be platform threads, because they block in the
 * kernel. Interrupts do not end their waits. All methods may be called from any thread, hooks included; a hook that
 * joins dispatches other events until it returns.
 *
 * <p>With a single concurrent source, no thread leads: every thread waits by itself, and the operating system chooses
 * the one that gets an event (the paper's implementation activity 1.3).
 */
public class MultipleLeadersPool implements AutoCloseable {

    private final List<Leadership> leaderships;
    private final boolean concurrent;
    private final @Nullable DispatchTrace trace;
    final Roles roles;
    private final CloseSteps closing;
    private final ThreadLocal<PoolThread> current = new ThreadLocal<>();

    /**
     * Creates a pool without threads.
     *
     * @param order   determines which follower is promoted
     * @param sources the sources to wait on, at least one; the pool owns them from now on
     */
    public MultipleLeadersPool(PromotionOrder order, List<? extends EventSource> sources) {
        this(order, sources, DispatchTrace.configured());
    }

    /**
     * Creates a pool without threads, whose dispatch is traced.
     *
     * @param order   determines which follower is promoted
     * @param sources the sources to wait on, at least one; the pool owns them from now on
     * @param trace   records the calls of hooks; null for none
     * @throws IllegalStateException if the trace belongs to another pool
     */
    @SuppressWarnings("this-escape") // The trace only stores it; it is used once a thread joins, and by the close.
    public MultipleLeadersPool(PromotionOrder order, List<? extends EventSource> sources,
            @Nullable DispatchTrace trace) {
        Objects.requireNonNull(order, "order");
        if (sources.isEmpty()) {
            throw new IllegalArgumentException("a pool needs an event source");
        }
        HookFailure.prepare();
        this.trace = trace;
        if (trace != null) {
            trace.bind(this);
            sources.forEach(source -> source.recordTo(trace));
        }
        leaderships = leaderships(sources);
        concurrent = sources.size() == 1 && sources.get(0).isConcurrent();
        roles = new Roles(leaderships, order);
        List<Runnable> steps = new ArrayList<>();
        leaderships.forEach(leadership -> steps.add(leadership.source::close));
        // Their registrations have ended by now, so processing these events calls the handlers' handleClose.
        steps.add(this::processDeferred);
        steps.add(this::closeTrace);
        closing = new CloseSteps(steps.toArray(Runnable[]::new));
    }

    /** Creates the waiters of all sources, which have native memory; if there is none for one, closes the others. */
    private static List<Leadership> leaderships(List<? extends EventSource> sources) {
        List<Leadership> created = new ArrayList<>(sources.size());
        try {
            for (EventSource source : sources) {
                created.add(new Leadership(source));
            }
            return List.copyOf(created);
        } catch (Throwable e) {
            for (Leadership leadership : created) {
                leadership.waiter.close();
            }
            throw e;
        }
    }

    /** {@return whether all of its threads wait concurrently; otherwise each source has a leader} */
    public final boolean isConcurrent() {
        return concurrent;
    }

    /** {@return the trace of its hooks, if there is one} */
    public final Optional<DispatchTrace> trace() {
        return Optional.ofNullable(trace);
    }

    /**
     * Makes the caller one of the pool's threads until the pool is closed or the thread is removed.
     *
     * @throws IOException if the system call that waits fails; the other threads continue. A wait that fails for lack
     *                     of memory is retried for up to a second, before the {@link OutOfMemoryError} is thrown.
     * @throws java.io.UncheckedIOException if the system refuses a wake-up that the caller must forward to another
     *                                      thread; the other threads continue
     */
    public final void join() throws IOException {
        join(Deadline.NEVER);
    }

    /**
     * Makes the caller one of the pool's threads for at most the given time. A hook that is running when the time
     * elapses is not interrupted.
     *
     * @param timeout the maximum time; if zero, the caller checks for events once if there is no leader, and dispatches
     *                at most one
     * @return true if the time has elapsed; false if the pool was closed or the thread removed before
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IOException              as {@link #join()}
     */
    public final boolean join(Duration timeout) throws IOException {
        return join(Deadline.in(timeout));
    }

    private boolean join(Deadline deadline) throws IOException {
        PoolThread self = self();
        return join(self, deadline, () -> self.leaving, Integer.MAX_VALUE) && !self.leaving;
    }

    /**
     * Takes part until the deadline, or until the caller is done.
     *
     * @param maxNesting number of hooks that may wait on the caller's stack before it dispatches only bound events
     * @return false if the pool is closed
     */
    final boolean join(PoolThread self, Deadline deadline, BooleanSupplier done, int maxNesting) throws IOException {
        StackReserve.requireForWait();
        if (!roles.enter(self)) {
            return false;
        }
        PendingEvent outer = self.processing;
        boolean outerBoundOnly = self.boundOnly;
        self.processing = null;
        self.boundOnly |= self.depth > maxNesting;
        try {
            if (trace == null) {
                takePart(self, outer, deadline, done);
            } else {
                takePartTraced(trace, self, outer, deadline, done);
            }
        } catch (HandleClosedException e) {
            // A source was closed while the caller, which the system had refused to wake, was waiting on it.
            if (!roles.isClosed()) {
                throw e;
            }
        } finally {
            self.processing = outer;
            roles.leave(self);
            self.boundOnly = outerBoundOnly;
        }
        return !roles.isClosed();
    }

    private void takePartTraced(DispatchTrace record, PoolThread self, @Nullable PendingEvent outer, Deadline deadline,
            BooleanSupplier done) throws IOException {
        record.enter();
        try {
            takePart(self, outer, deadline, done);
        } finally {
            record.leave();
        }
    }

    private void takePart(PoolThread self, @Nullable PendingEvent outer, Deadline deadline, BooleanSupplier done)
            throws IOException {
        if (outer != null) {
            outer.deactivate();
        }
        if (concurrent) {
            waitConcurrently(self, deadline, done);
        } else {
            takeTurns(self, deadline, done);
        }
    }

    private @Nullable PendingEvent await(PoolThread self, Deadline deadline) throws IOException {
        assert self.leads != null;
        return self.leads.waiter.await(shorter(deadline.remaining(), self.maxWait));
    }

    private void takeTurns(PoolThread self, Deadline deadline, BooleanSupplier done) throws IOException {
        boolean over = false;
        while (!over) {
            if (!roles.awaitLeadership(self, deadline, done)) {
                return;
            }
            PendingEvent event = self.processing != null ? self.processing : await(self, deadline);
            if (event != null) {
                self.emptyWaits = 0;
                dispatchOrDefer(self, event);
            } else {
                self.emptyWaits++;
            }
            over = deadline.isOver();
            if (!over) {
                roles.rotateLeader(self);
            }
        }
    }

    /** {@return the shorter of two times in nanoseconds; negative times are unlimited} */
    private static long shorter(long one, long other) {
        return one < 0 ? other : other < 0 ? one : Math.min(one, other);
    }

    private void dispatchOrDefer(PoolThread self, PendingEvent event) {
        if (self.boundOnly && !event.isBound()) {
            event.defer();
            roles.defer(event);
            return;
        }
        self.processing = event;
        if (event.promotion() == Promotion.BEFORE_DISPATCH) {
            promoteNewLeader();
        }
        event.process();
        self.processing = null;
    }

    private void waitConcurrently(PoolThread self, Deadline deadline, BooleanSupplier done) throws IOException {
        EventSource source = leaderships.get(0).source;
        try (EventSource.Waiter waiter = source.newWaiter()) {
            boolean over = false;
            while (!over) {
                self.role = ThreadRole.LEADER;
                if (roles.isClosed() || done.getAsBoolean()) {
                    break;
                }
                PendingEvent event = waiter.await(deadline.remaining());
                self.role = ThreadRole.PROCESSING;
                if (self.leaving) {
                    roles.releaseForwarders();
                }
                if (event != null) {
                    self.processing = event;
                    if (event.promotion() == Promotion.BEFORE_DISPATCH) {
                        event.beforePromotion();
                    }
                    event.process();
                    self.processing = null;
                } else {
                    roles.forwardWakeUp(self, source);
                }
                over = deadline.isOver();
            }
        } finally {
            self.role = ThreadRole.PROCESSING;
            roles.propagateWakeUp(source);
        }
    }

    /**
     * Promotes a follower to be the leader in the caller's place: the paper's promote_new_leader. The handle whose
     * event the caller is dispatching stays deactivated until the event has been dispatched. Events of a {@linkplain
     * dev.sluice.reactor.EventHandler#isConcurrent() concurrent} handle, however, may be dispatched by other threads
     * from now on, even if all threads wait concurrently and there is no leader.
     *
     * @return true if the caller was a leader, and no longer is
     */
    public final boolean promoteNewLeader() {
        StackReserve.requireForCall();
        PoolThread self = current.get();
        return canPromote(self) && roles.promote(self);
    }

    /** Promotes the given thread, if it is a follower. */
    final boolean promoteNewLeader(PoolThread successor) {
        PoolThread self = current.get();
        return canPromote(self) && roles.promote(self, successor);
    }

    private boolean canPromote(PoolThread self) {
        if (self == null || self.leads == null && !concurrent) {
            return false;
        }
        if (self.processing != null) {
            self.processing.beforePromotion();
        }
        return self.leads != null;
    }

    /**
     * Requests that a thread leaves; it does so when it is not dispatching an event.
     *
     * @param thread the thread to remove
     * @return true if it was one of the pool's threads
     * @throws java.io.UncheckedIOException if the system refuses to wake it; it then leaves after the next event, or
     *                                      when this is called again
     */
    public final boolean remove(Thread thread) {
        return roles.askToLeave(Objects.requireNonNull(thread, "thread"));
    }

    /**
     * Returns the threads that currently have the given role.
     *
     * @param role a role
     * @return the threads that have it
     */
    public final List<Thread> threads(ThreadRole role) {
        return roles.threads(role);
    }

    /** {@return whether it is closed or being closed} */
    public final boolean isClosed() {
        return roles.isClosed();
    }

    /** {@return its sources that are handle sets} */
    final List<HandleSetSource> handleSets() {
        return leaderships.stream().map(leadership -> leadership.source)
                .filter(HandleSetSource.class::isInstance).map(HandleSetSource.class::cast).toList();
    }

    /** {@return the state of the calling thread, whether it has joined or not} */
    final PoolThread self() {
        PoolThread self = current.get();
        if (self == null) {
            self = new PoolThread();
            current.set(self);
        }
        return self;
    }

    /**
     * Makes all threads leave when they are not dispatching an event, waits until they have left, and then closes the
     * event sources. A hook may call this; the close does not wait for the hook's own thread. A second call only waits,
     * and in a hook returns immediately; but if the first close ran out of memory, the next one continues it.
     *
     * @throws java.io.UncheckedIOException if the system refuses to wake a thread; everything is closed then, but
     *                                      former leaders may not have left yet
     * @throws IllegalStateException        if the virtual machine is shutting down because a hook has called {@link
     *                                      System#exit}, which does not return: a shutdown hook that closes the pool
     *                                      would wait for that thread. The message names it. Call {@code System.exit}
     *                                      in a thread that has left the pool. During the shutdown no close waits
     *                                      longer than 30 seconds for any hook.
     */
    @Override
    public final void close() {
        StackReserve.requireForEnd();
        Failures failures = new Failures();
        if (roles.close(this, current.get(), failures)) {
            try {
                failures.guard(closing::run);
            } finally {
                endUnlessRepeated();
            }
        }
        failures.throwKept();
    }

    private void endUnlessRepeated() {
        boolean ended = false;
        try {
            if (closing.areTaken()) {
                roles.end();
                ended = true;
            }
        } finally {
            if (!ended) {
                roles.closeHasFailed();
            }
        }
    }

    private void processDeferred() {
        for (PendingEvent event = roles.pollDeferred(); event != null; event = roles.pollDeferred()) {
            event.process();
        }
    }

    private void closeTrace() {
        if (trace != null) {
            trace.close();
        }
    }

    /** {@return for example {@code leader/followers pool on handle set on epoll, 3 timers}} */
    @Override
    public String toString() {
        return "leader/followers pool on " + leaderships.stream().map(leadership -> leadership.source.toString())
                .collect(Collectors.joining(", "));
    }
}
