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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a graph's stages, in the order of the edges. If there is no memory or no stack for a step, the next run
 * continues with that step: finished steps, such as calling a handler, are not repeated.
 */
final class GraphStop {

    private static final Logger LOG = LoggerFactory.getLogger(GraphStop.class);

    /** Time between two looks whether everything has been handled. */
    private static final long LOOK_MILLIS = 1;
    /** Number of looks between attempts to do what threads had no stack for: these may fail and be logged again. */
    private static final int LOOKS_AT_FAILURES = 100;
    /** Time that handlers have after they were interrupted. */
    private static final long AFTER_INTERRUPT = TimeUnit.MILLISECONDS.toNanos(500);

    /** Of stages that lead to each other. */
    private final List<List<Ending>> groups = new ArrayList<>();
    private boolean interrupted;

    /**
     * Stops nothing yet.
     *
     * @param order groups of all stages
     * @param begun those whose handlers have been started
     */
    GraphStop(List<List<Stage<?>>> order, Collection<Stage<?>> begun) {
        Set<Stage<?>> started = new HashSet<>(begun);
        order.forEach(group -> groups.add(group.stream().map(stage -> new Ending(stage, started)).toList()));
        // Stable, so that otherwise they stay in the order of the edges.
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
     * Ends a group. Calls all of its handlers, also if one throws.
     *
     * @return the lack of memory or stack of a handler that has yet to be called again; null if there is none
     */
    private Throwable end(List<Ending> group, long deadline) {
        List<Stage<?>> stages = group.stream().<Stage<?>>map(ending -> ending.stage).toList();
        boolean wasIdle = becomesIdle(stages, deadline);
        stages.forEach(stage -> stage.ownQueue().close(EventRing.ALL));
        // An event that came before the close, such as one of a stage that is stopped last, is not lost.
        boolean idle = wasIdle && becomesIdle(stages, deadline);
        group.forEach(Ending::recordAbandoned);
        for (Stage<?> stage : stages) {
            // Even if nothing is left: a preparation may still be committed.
            stage.abandon();
            stage.execution.end();
        }
        if (!idle) {
            stages.forEach(stage -> stage.execution.interrupt());
        }
        long end = idle ? deadline : System.nanoTime() + AFTER_INTERRUPT;
        awaitThreads(stages, end);
        if (!idle) {
            becomesIdle(stages, end);
        }
        Throwable shortage = null;
        for (Ending ending : group) {
            try {
                ending.notifyStop();
            } catch (OutOfMemoryError | StackOverflowError e) {
                shortage = Failures.and(shortage, e);
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

    private void awaitThreads(List<Stage<?>> group, long end) {
        for (Stage<?> stage : group) {
            try {
                stage.execution.awaitEnd(end);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    /**
     * Waits until everything that was accepted or announced has been handled, everywhere at the same moment.
     *
     * @param stages the stages
     * @param end    when to stop waiting, by {@link System#nanoTime()}
     * @return whether that has happened
     */
    static boolean awaitIdle(Collection<Stage<?>> stages, long end) throws InterruptedException {
        for (int looks = 0; !isIdle(stages); looks++) {
            if (looks % LOOKS_AT_FAILURES == 0) {
                stages.forEach(stage -> stage.ownQueue().makeUp());
            }
            if (System.nanoTime() - end >= 0) {
                return false;
            }
            Thread.sleep(LOOK_MILLIS);
        }
        return true;
    }

    /**
     * {@return whether there was a moment at which nothing waited, was being handled, was prepared or was announced}
     * What has ended is read first. If afterwards no more than that has been accepted, there was nothing else in
     * between.
     */
    private static boolean isIdle(Collection<Stage<?>> stages) {
        long completed = 0;
        for (Stage<?> stage : stages) {
            completed += stage.completed();
        }
        long accepted = 0;
        long expected = 0;
        for (Stage<?> stage : stages) {
            expected += stage.expected();
            accepted += stage.accepted();
        }
        return completed == accepted && expected == 0;
    }

    /** A stage, and how far its end has got. */
    private static final class Ending {

        private final Stage<?> stage;
        /** Whether its handler need not be called any more. */
        private boolean notified;
        /** Amount of announced work that is no longer waited for; -1 while it is waited for. */
        private long announced = -1;
        private long discardedBefore;
        /** Null as long as it has not ended. */
        private StageAccount account;

        Ending(Stage<?> stage, Set<Stage<?>> begun) {
            this.stage = stage;
            notified = !begun.contains(stage);
        }

        /** Work that ends later, such as a send on a connection that the end closes, has not been waited for. */
        void recordAbandoned() {
            if (announced < 0) {
                discardedBefore = stage.discarded();
                announced = stage.announced();
            }
        }

        /** Calls the handler. If that throws for lack of memory or stack, the next run does it again. */
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
