package dev.sluice.stages;

import dev.sluice.failure.Failures;
import dev.sluice.hook.HookFailure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a graph's stages, in the order of the edges. If there is no memory or no stack for a step, the next run
 * goes on with that step: what has been done, such as telling a handler, is not done again.
 */
final class GraphStop {

    private static final Logger LOG = LoggerFactory.getLogger(GraphStop.class);

    /** How often it looks whether everything has been handled. */
    private static final long LOOK_MILLIS = 1;
    /** How often it looks before it does what threads had no stack for: that may fail and be logged again. */
    private static final int LOOKS_AT_FAILURES = 100;
    /** How long handlers have that were interrupted. */
    private static final long AFTER_INTERRUPT = TimeUnit.MILLISECONDS.toNanos(500);

    private final List<Group> groups = new ArrayList<>();
    private boolean interrupted;

    /**
     * Stops nothing yet.
     *
     * @param order of all stages
     * @param begun those whose handlers have been started
     */
    GraphStop(StageOrder order, Collection<Stage<?>> begun) {
        Set<Stage<?>> started = Collections.newSetFromMap(new IdentityHashMap<>());
        started.addAll(begun);
        order.groups().forEach(group -> groups.add(new Group(group, started)));
        // Stable, so that otherwise they stay in the order of the edges.
        groups.sort(Comparator.comparing(group -> group.stages.stream().allMatch(Stage::isStoppedLast)));
    }

    /**
     * Stops the stages.
     *
     * @param deadline by {@link System#nanoTime()}
     * @return what has become of all of them
     */
    StopReport run(long deadline) {
        interrupted = false;
        try {
            for (Group group : groups) {
                group.stages.forEach(stage -> stage.ownQueue().close(EventRing.OUTSIDE));
            }
            Throwable shortage = null;
            for (Group group : groups) {
                if (!group.ended) {
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
        for (Group group : groups) {
            accounts.addAll(Arrays.asList(group.accounts));
            discarded += group.discarded;
        }
        return new StopReport(accounts, discarded);
    }

    /** {@return the lack of memory or stack of a handler that has yet to be called again; null if there is none} */
    private Throwable end(Group group, long deadline) {
        List<Stage<?>> stages = group.stages;
        boolean wasAtRest = isAtRestBy(stages, deadline);
        stages.forEach(stage -> stage.ownQueue().close(EventRing.ALL));
        // An event that came before the close, such as one of a stage that is stopped last, is not lost.
        boolean atRest = wasAtRest && isAtRestBy(stages, deadline);
        if (group.discardedBefore < 0) {
            group.discardedBefore = discarded(stages);
        }
        group.noteAnnounced();
        for (Stage<?> stage : stages) {
            // Even if nothing is left: a preparation may still be committed.
            stage.abandon();
            stage.execution().end();
        }
        if (!atRest) {
            stages.forEach(stage -> stage.execution().interrupt());
        }
        long end = atRest ? deadline : System.nanoTime() + AFTER_INTERRUPT;
        awaitThreads(stages, end);
        if (!atRest) {
            isAtRestBy(stages, end);
        }
        Throwable shortage = group.tellStop();
        group.discarded = discarded(stages) - group.discardedBefore;
        group.ended = shortage == null;
        return shortage;
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
        for (int looks = 0; !isAtRest(stages); looks++) {
            if (looks % LOOKS_AT_FAILURES == 0) {
                stages.forEach(Stage::makeUp);
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

    /** Stages that lead to each other, and how far their end has got. */
    private static final class Group {

        private final List<Stage<?>> stages;
        /** For each stage whether its handler need not be called any more. */
        private final boolean[] told;
        /** For each stage; null as long as it has not ended. */
        private final StageAccount[] accounts;
        /** For each stage how much work is given up; -1 as long as it has not been given up. */
        private final long[] announced;
        private long discardedBefore = -1;
        private long discarded;
        private boolean ended;

        Group(List<Stage<?>> stages, Set<Stage<?>> begun) {
            this.stages = List.copyOf(stages);
            told = new boolean[stages.size()];
            accounts = new StageAccount[stages.size()];
            announced = new long[stages.size()];
            Arrays.fill(announced, -1);
            for (int i = 0; i < told.length; i++) {
                told[i] = !begun.contains(stages.get(i));
            }
        }

        /** Work that ends later, such as a send on a connection that the end closes, has not been waited for. */
        void noteAnnounced() {
            for (int i = 0; i < announced.length; i++) {
                if (announced[i] < 0) {
                    announced[i] = stages.get(i).ownQueue().announced();
                }
            }
        }

        /** Calls all handlers, also if one throws. One that has thrown for lack of memory is called by the next run. */
        private Throwable tellStop() {
            Throwable shortage = null;
            for (int i = 0; i < told.length; i++) {
                try {
                    tellStop(i);
                } catch (OutOfMemoryError | StackOverflowError e) {
                    shortage = Failures.and(shortage, e);
                }
            }
            return shortage;
        }

        private void tellStop(int index) {
            Stage<?> stage = stages.get(index);
            if (!told[index]) {
                try {
                    stage.handler().handleStop();
                } catch (OutOfMemoryError | StackOverflowError e) {
                    throw e;
                } catch (Throwable e) {
                    HookFailure.log(LOG, stage.handler(), "the stop of " + stage, e);
                }
                told[index] = true;
            }
            accounts[index] = StageAccount.of(stage, announced[index]);
        }
    }
}
