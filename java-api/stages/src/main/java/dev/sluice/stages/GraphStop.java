package dev.sluice.stages;

import dev.sluice.failure.Failures;
import dev.sluice.hook.HookFailure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops a graph's stages, in the order of the edges. If there is no memory or no stack for a step, the next run
 * continues with that step: finished steps, such as calling a handler, are not repeated.
 */
final class GraphStop {

    private static final Logger LOG = LoggerFactory.getLogger(GraphStop.class);

    /** Interval between two checks whether everything has been handled. */
    private static final long CHECK_MILLIS = 1;
    /**
     * Number of checks between attempts to repeat work that threads had no stack for: these may fail and be logged
     * again.
     */
    private static final int CHECKS_BEFORE_RETRY = 100;
    /** Time that handlers and controllers have after they were interrupted. */
    static final long AFTER_INTERRUPT = TimeUnit.MILLISECONDS.toNanos(500);

    /** Groups of stages that lead to each other. */
    private final List<List<Ending>> groups = new ArrayList<>();
    private boolean interrupted;

    /**
     * Creates the stop of a graph; {@link #run} stops the stages.
     *
     * @param order groups of all stages
     * @param begun the stages whose handlers have been started
     */
    GraphStop(List<List<Stage<?>>> order, Collection<Stage<?>> begun) {
        Set<Stage<?>> started = new HashSet<>(begun);
        order.forEach(group -> groups.add(group.stream().map(stage -> new Ending(stage, started)).toList()));
        // A stable sort, so that otherwise the order of the edges is kept.
        groups.sort(Comparator.comparing(group -> group.stream().allMatch(ending -> ending.stage.stoppedLast)));
    }

    /**
     * Stops the stages.
     *
     * @param deadline by {@link System#nanoTime()}
     * @return the accounts of all of them
     */
    StopReport run(long deadline) {
        interrupted = false;
        try {
            for (List<Ending> group : groups) {
                group.forEach(ending -> ending.stage.ownQueue().close(EventRing.OUTSIDE));
            }
            Throwable shortage = null;
            for (List<Ending> group : groups) {
                if (group.stream().anyMatch(ending -> ending.account == null)) {
                    shortage = Failures.and(shortage, end(group, deadline));
                }
            }
            Failures.throwFirst(shortage);
            return report();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private StopReport report() {
        List<StageAccount> accounts = new ArrayList<>();
        long discarded = 0;
        for (List<Ending> group : groups) {
            for (Ending ending : group) {
                accounts.add(ending.account);
                discarded += ending.stage.discarded() - ending.discardedBefore;
            }
        }
        return new StopReport(accounts, discarded);
    }

    /**
     * Ends a group. Calls all of its handlers, even if one throws.
     *
     * @return the error of a hook that lacked memory or stack and has to be called again; null if there is none
     */
    private @Nullable Throwable end(List<Ending> group, long deadline) {
        List<Stage<?>> stages = group.stream().<Stage<?>>map(ending -> ending.stage).toList();
        boolean wasIdle = becomesIdle(stages, deadline);
        stages.forEach(stage -> stage.ownQueue().close(EventRing.ALL));
        // An event that came before the close, such as one of a stage that is stopped last, is not lost.
        boolean idle = wasIdle && becomesIdle(stages, deadline);
        group.forEach(Ending::recordAbandoned);
        // Even if no event is left: a reservation may still be committed.
        stages.forEach(Stage::abandon);
        Throwable shortage = forEach(group, "the end of ", ending -> ending.stage.execution.end());
        if (!idle) {
            shortage = Failures.and(shortage,
                    forEach(group, "the interrupt of ", ending -> ending.stage.execution.interrupt()));
        }
        long end = idle ? deadline : System.nanoTime() + AFTER_INTERRUPT;
        shortage = Failures.and(shortage, forEach(group, "the end of ", ending -> awaitThreads(ending.stage, end)));
        if (!idle) {
            becomesIdle(stages, end);
        }
        return shortage != null ? shortage : forEach(group, "the stop of ", Ending::notifyStop);
    }

    /**
     * Calls a hook of each stage. If it throws, that is logged, and the others are called.
     *
     * @return the error of a hook that lacked memory or stack and has to be called again; null if there is none
     */
    private static @Nullable Throwable forEach(List<Ending> group, String call, Consumer<Ending> hook) {
        Throwable shortage = null;
        for (Ending ending : group) {
            try {
                hook.accept(ending);
            } catch (OutOfMemoryError | StackOverflowError e) {
                shortage = Failures.and(shortage, e);
            } catch (Throwable e) {
                HookFailure.log(LOG, ending.stage.execution, call + ending.stage, e);
            }
        }
        return shortage;
    }

    private boolean becomesIdle(List<Stage<?>> group, long end) {
        try {
            return !interrupted && awaitIdle(group, end) || isIdle(group);
        } catch (InterruptedException e) {
            interrupted = true;
            return isIdle(group);
        }
    }

    private void awaitThreads(Stage<?> stage, long end) {
        try {
            stage.execution.awaitEnd(end);
        } catch (InterruptedException e) {
            interrupted = true;
        }
    }

    /**
     * Waits until all accepted and announced events have been handled, in all stages at the same moment.
     *
     * @param stages the stages
     * @param end    when to stop waiting, by {@link System#nanoTime()}
     * @return true if they have
     */
    static boolean awaitIdle(Collection<Stage<?>> stages, long end) throws InterruptedException {
        for (int checks = 0; !isIdle(stages); checks++) {
            if (checks % CHECKS_BEFORE_RETRY == 0) {
                stages.forEach(stage -> stage.ownQueue().makeUp());
            }
            if (System.nanoTime() - end >= 0) {
                return false;
            }
            Thread.sleep(CHECK_MILLIS);
        }
        return true;
    }

    /**
     * {@return whether there was a moment at which no event was pending, being handled, reserved or announced} The
     * number of ended events is read first. If the number of accepted events read afterwards is no larger, there was
     * such a moment in between.
     */
    private static boolean isIdle(Collection<Stage<?>> stages) {
        List<Stage<?>> present = List.copyOf(stages);
        long completed = 0;
        for (Stage<?> stage : present) {
            completed += stage.completed();
        }
        // Twice: an edge on which work is announced may move from a stage not looked at yet to one looked at before.
        boolean expecting = isExpecting(present);
        if (expecting | isExpecting(present)) {
            return false;
        }
        long accepted = 0;
        for (Stage<?> stage : present) {
            accepted += stage.accepted();
        }
        // A stage that has come meanwhile may have events, and so may the stages that it has passed events to.
        return completed == accepted && present.equals(List.copyOf(stages));
    }

    private static boolean isExpecting(List<Stage<?>> stages) {
        for (Stage<?> stage : stages) {
            if (stage.expected() > 0) {
                return true;
            }
        }
        return false;
    }

    /** A stage, and the progress of its end. */
    private static final class Ending {

        private final Stage<?> stage;
        /** Whether its handler has been notified. */
        private boolean notified;
        /** Number of announced events that are no longer waited for; -1 while they are waited for. */
        private long announced = -1;
        private long discardedBefore;
        /** Null until the stage has ended. */
        private @Nullable StageAccount account;

        Ending(Stage<?> stage, Set<Stage<?>> begun) {
            this.stage = stage;
            notified = !begun.contains(stage);
        }

        /** Records the announced work that was not waited for, such as a send on a connection that this stop closes. */
        void recordAbandoned() {
            if (announced < 0) {
                discardedBefore = stage.discarded();
                announced = stage.announced();
            }
        }

        /** Calls the handler. If that throws for lack of memory or stack, the next run repeats the call. */
        void notifyStop() {
            try {
                if (!notified) {
                    stage.handler.handleStop();
                }
            } catch (OutOfMemoryError | StackOverflowError e) {
                throw e;
            } catch (Throwable e) {
                HookFailure.log(LOG, stage.handler, "the stop of " + stage, e);
            }
            notified = true;
            account = StageAccount.of(stage, announced);
        }
    }
}
