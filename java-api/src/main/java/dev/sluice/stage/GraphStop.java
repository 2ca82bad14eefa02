package dev.sluice.stage;

import dev.sluice.hook.HookFailure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of a graph's stages, in the order of the edges. */
final class GraphStop {

    private static final Logger LOG = LoggerFactory.getLogger(GraphStop.class);

    /** How often it looks whether everything has been handled. */
    private static final long LOOK_MILLIS = 1;
    /** How long handlers have that were interrupted. */
    private static final long AFTER_INTERRUPT = TimeUnit.MILLISECONDS.toNanos(500);

    private final Set<Stage<?>> begun = Collections.newSetFromMap(new IdentityHashMap<>());
    private final long deadline;
    private final List<StageAccount> accounts = new ArrayList<>();
    private boolean interrupted;
    private long discarded;

    /**
     * Stops stages.
     *
     * @param order    of all stages
     * @param begun    those whose handlers have been started
     * @param deadline by {@link System#nanoTime()}
     */
    GraphStop(StageOrder order, Collection<Stage<?>> begun, long deadline) {
        this.begun.addAll(begun);
        this.deadline = deadline;
        List<List<Stage<?>>> groups = new ArrayList<>(order.groups());
        // Stable, so that otherwise they stay in the order of the edges.
        groups.sort(Comparator.comparing(group -> group.stream().allMatch(Stage::isStoppedLast)));
        for (List<Stage<?>> group : groups) {
            group.forEach(stage -> stage.ownQueue().close(EventRing.OUTSIDE));
        }
        groups.forEach(this::end);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    StopReport report() {
        return new StopReport(accounts, discarded);
    }

    private void end(List<Stage<?>> group) {
        boolean wasAtRest = isAtRestBy(group, deadline);
        group.forEach(stage -> stage.ownQueue().close(EventRing.ALL));
        // An event that came before the close, such as one of a stage that is stopped last, is not lost.
        boolean atRest = wasAtRest && isAtRestBy(group, deadline);
        long discardedBefore = discarded(group);
        for (Stage<?> stage : group) {
            // Even if nothing is left: a preparation may still be committed.
            stage.abandon();
            stage.execution().end();
        }
        if (!atRest) {
            group.forEach(stage -> stage.execution().interrupt());
        }
        long end = atRest ? deadline : System.nanoTime() + AFTER_INTERRUPT;
        awaitThreads(group, end);
        if (!atRest) {
            isAtRestBy(group, end);
        }
        for (Stage<?> stage : group) {
            tellStop(stage);
            accounts.add(StageAccount.of(stage));
        }
        discarded += discarded(group) - discardedBefore;
    }

    private boolean isAtRestBy(List<Stage<?>> group, long end) {
        try {
            return !interrupted && awaitRest(group, end) || isAtRest(group);
        } catch (InterruptedException e) {
            interrupted = true;
            return isAtRest(group);
        }
    }

    private void awaitThreads(List<Stage<?>> group, long end) {
        for (Stage<?> stage : group) {
            try {
                stage.execution().awaitEnd(end);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    private void tellStop(Stage<?> stage) {
        if (!begun.contains(stage)) {
            return;
        }
        try {
            stage.handler().handleStop();
        } catch (Throwable e) {
            HookFailure.log(LOG, stage.handler(), "the stop of " + stage, e);
        }
    }

    private static long discarded(List<Stage<?>> group) {
        return group.stream().mapToLong(Stage::discarded).sum();
    }

    /**
     * Waits until everything that was accepted or announced has been handled, everywhere at the same moment.
     *
     * @param stages which
     * @param end    the time to give up, by {@link System#nanoTime()}
     * @return whether that has happened
     */
    static boolean awaitRest(Collection<Stage<?>> stages, long end) throws InterruptedException {
        while (!isAtRest(stages)) {
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
    private static boolean isAtRest(Collection<Stage<?>> stages) {
        long completed = 0;
        for (Stage<?> stage : stages) {
            completed += stage.completed();
        }
        long accepted = 0;
        long expected = 0;
        for (Stage<?> stage : stages) {
            expected += stage.ownQueue().expected();
            accepted += stage.accepted();
        }
        return completed == accepted && expected == 0;
    }
}
