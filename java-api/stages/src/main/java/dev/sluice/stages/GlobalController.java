package dev.sluice.stages;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gives threads to stages, and rejects events, by what the whole graph needs. All stages together have at most a given
 * number of threads, but each keeps one. The stage whose oldest event has waited longest gets the next one; when there
 * are no more, it gets that of a stage that waits less than half as long. A thread with which the graph does not handle
 * more events is taken back. If a stage did not get its thread, as it may have no more, others get theirs first for
 * five seconds.
 *
 * <p>If the waits in all queues, added up, exceed the target, or if memory runs short, the thresholds are halved of the
 * stages that events enter from outside: there nothing has been done for them yet. Well below, they rise again. Stages
 * should have no controllers of their own for the same.
 *
 * <p>A short queue does not keep a fast stage from passing on more than the stages behind it can handle. So the stages
 * that events enter should be given the {@link #admission()} of this controller: its rate follows that of the stage
 * whose events wait longest, multiplied by how many events enter for each one that comes to this stage.
 */
public final class GlobalController implements GraphController {

    private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(500);
    /** Time after which an event that waits needs another thread. */
    private static final long LONG_WAIT = TimeUnit.MILLISECONDS.toNanos(20);
    /** Number of periods after a thread was taken back, or not started, before another one is tried. */
    private static final int PERIODS_BEFORE_RETRY = 10;
    /** Minimum factor by which more events are handled with another thread. */
    private static final double GAIN = 1.02;
    private static final double HIGH_MEMORY = 0.9;
    private static final double LOW_MEMORY = 0.7;
    private static final int INCREMENT = 2;
    private static final int INCREMENT_DIVISOR = 8;
    /** Rate of the admission without overload, in events per second. */
    private static final double MAX_RATE = 1e9;
    private static final double MIN_RATE = 1;
    /** Number of events that are admitted in addition to the rate. */
    private static final int BURST = 64;
    /** The rate in overload, as a share of that of the stage whose events wait longest: the backlog has to go. */
    private static final double OVERLOAD_SHARE = 0.8;
    /** The same while all waits exceed the target twice. */
    private static final double BACKLOG_SHARE = 0.5;
    /** The rate that is no longer limited at all, as a multiple of what that stage has handled. */
    private static final double FREE_SHARE = 4;
    private static final double RISE = 1.05;
    /** Weight of earlier periods in how many events enter for each one that comes to a stage. */
    private static final double OLD_WEIGHT = 0.9;
    private static final double NANOS_PER_SECOND = 1e9;

    private final int maxThreads;
    private final long target;
    private final TokenBucket<Object> bucket = new TokenBucket<>(MAX_RATE, BURST);
    private final Map<String, Integer> thresholds = new HashMap<>();
    private final Map<String, Long> handled = new HashMap<>();
    /** The events that had come to each stage at the last decision, and those that had entered the graph. */
    private Map<String, Long> arrivedBefore = new HashMap<>();
    private long enteredBefore;
    /** The events that come to each stage in a period, and those that enter the graph; earlier periods count less. */
    private final Map<String, Double> arrivals = new HashMap<>();
    private double entries;
    /** The stages that did not get a thread that was decided on, and the periods for which they are not tried again. */
    private final Map<String, Integer> full = new HashMap<>();
    private long elapsed;
    /** The stage that was to get another thread in the last period; null if none was. */
    private @Nullable String grown;
    /** The number of threads that it should have now. */
    private int grownTo;
    /** Whether that was an additional thread, and not one of another stage. */
    private boolean isTrial;
    private double rateBefore;
    private int periodsToSkip;

    /**
     * Creates a controller.
     *
     * @param maxThreads maximum number of threads of all stages, at least 1; each stage keeps one
     * @param target     for the waits in all queues, added up, more than 0
     * @throws IllegalArgumentException if one of them is out of its range
     */
    public GlobalController(int maxThreads, Duration target) {
        this.maxThreads = Ranges.between("threads", maxThreads, 1, 1 << 16);
        this.target = Ranges.positive("target", target);
    }

    /**
     * {@return what limits the rate at which events enter; to be given to each stage that they enter, by {@link
     * StageOptions#admission}} Without it, this controller lowers only the thresholds of their queues.
     */
    public Admission<Object> admission() {
        return bucket;
    }

    @Override
    public Map<String, List<Decision>> decide(GraphSample sample) {
        elapsed += sample.elapsed();
        sample.stages().forEach((name, stage) -> handled.merge(name, stage.handled(), Long::sum));
        if (elapsed < PERIOD) {
            return Map.of();
        }
        Map<String, List<Decision>> decisions = new HashMap<>();
        decideThreads(sample, (double) handled.values().stream().mapToLong(Long::longValue).sum() / elapsed, decisions);
        decideThresholds(sample, decisions);
        decideRate(sample);
        elapsed = 0;
        handled.clear();
        return decisions;
    }

    private void decideThreads(GraphSample sample, double rate, Map<String, List<Decision>> decisions) {
        boolean wasTrial = isTrial;
        StageSample last = checkGrowth(sample.stages());
        int total = 0;
        Map.Entry<String, StageSample> needy = null;
        Map.Entry<String, StageSample> donor = null;
        for (Map.Entry<String, StageSample> each : sample.stages().entrySet()) {
            StageSample stage = each.getValue();
            total += stage.threads();
            if (stage.threads() > 0 && !full.containsKey(each.getKey())
                    && (needy == null || stage.oldestWait() > needy.getValue().oldestWait())) {
                needy = each;
            }
            if (stage.threads() > 1 && (donor == null || gives(stage, donor.getValue()))) {
                donor = each;
            }
        }
        String tried = grown;
        grown = null;
        periodsToSkip = Math.max(0, periodsToSkip - 1);
        if (wasTrial && tried != null && last != null && last.threads() > 1 && rate < rateBefore * GAIN) {
            periodsToSkip = PERIODS_BEFORE_RETRY;
            change(tried, last.threads() - 1, decisions);
        } else if (total > maxThreads && donor != null) {
            change(donor.getKey(), donor.getValue().threads() - 1, decisions);
        } else if (needy != null && needy.getValue().oldestWait() >= LONG_WAIT && periodsToSkip == 0) {
            if (total < maxThreads) {
                rateBefore = rate;
                grow(needy, true, decisions);
            } else if (donor != null && donor != needy
                    && donor.getValue().oldestWait() < needy.getValue().oldestWait() / 2) {
                change(donor.getKey(), donor.getValue().threads() - 1, decisions);
                grow(needy, false, decisions);
            }
        }
    }

    /** {@return the sample of the stage that has got the thread decided on in the last period; null if none has} */
    private @Nullable StageSample checkGrowth(Map<String, StageSample> stages) {
        full.replaceAll((name, periods) -> periods - 1);
        full.values().removeIf(periods -> periods == 0);
        String name = grown;
        StageSample stage = name == null ? null : stages.get(name);
        if (name != null && stage != null && stage.threads() < grownTo) {
            // It is exclusive, has as many as it may have, or the system has started none.
            full.put(name, PERIODS_BEFORE_RETRY);
            return null;
        }
        return stage;
    }

    private void grow(Map.Entry<String, StageSample> stage, boolean trial, Map<String, List<Decision>> decisions) {
        grown = stage.getKey();
        grownTo = stage.getValue().threads() + 1;
        isTrial = trial;
        change(grown, grownTo, decisions);
    }

    /** {@return whether a stage needs its last thread less than another one} */
    private static boolean gives(StageSample stage, StageSample other) {
        return stage.oldestWait() != other.oldestWait() ? stage.oldestWait() < other.oldestWait()
                : stage.longestIdle() > other.longestIdle();
    }

    private static void change(String stage, int threads, Map<String, List<Decision>> decisions) {
        decisions.computeIfAbsent(stage, name -> new ArrayList<>()).add(new Decision.Threads(threads));
    }

    private void decideRate(GraphSample sample) {
        long wait = 0;
        long longest = -1;
        String slowestStage = null;
        for (Map.Entry<String, StageSample> each : sample.stages().entrySet()) {
            long oldest = each.getValue().oldestWait();
            wait += oldest;
            if (oldest > longest) {
                longest = oldest;
                slowestStage = each.getKey();
            }
        }
        double slowest = handled.getOrDefault(slowestStage, 0L) * NANOS_PER_SECOND / elapsed
                * entriesPerArrival(sample.edges(), slowestStage);
        double before = bucket.rate();
        if (wait > target) {
            double share = wait > 2 * target ? BACKLOG_SHARE : OVERLOAD_SHARE;
            bucket.setRate(Math.max(MIN_RATE, Math.min(before, slowest * share)));
        } else if (before < MAX_RATE) {
            // Between half of the target and all of it the backlog does not grow, at the rate of the slowest stage.
            double after = wait > target / 2 ? Math.min(before * RISE, Math.max(before, slowest)) : before * RISE;
            bucket.setRate(wait == 0 && after > slowest * FREE_SHARE ? MAX_RATE : after);
        }
    }

    /**
     * {@return how many events have entered the graph lately, for each one that has come to a stage; 1 if none has}
     * Several periods count: a stage may get no event in one of them, or only those of a backlog that entered before.
     */
    private double entriesPerArrival(List<EdgeAccount> edges, @Nullable String stage) {
        long entered = 0;
        Map<String, Long> arrived = new HashMap<>();
        for (EdgeAccount edge : edges) {
            boolean enters = edge.source() == null;
            entered += enters ? edge.accepted() : 0;
            // What the admission rejects has not come to the stage; what a full queue rejects has.
            arrived.merge(edge.target(), edge.accepted() + (enters ? 0 : edge.rejected()), Long::sum);
        }
        entries = OLD_WEIGHT * entries + Math.max(0, entered - enteredBefore);
        Map<String, Long> before = arrivedBefore;
        arrivals.keySet().retainAll(arrived.keySet());
        arrived.forEach((name, count) -> arrivals.merge(name,
                (double) Math.max(0, count - before.getOrDefault(name, 0L)), (old, more) -> OLD_WEIGHT * old + more));
        enteredBefore = entered;
        arrivedBefore = arrived;
        double came = arrivals.getOrDefault(stage, 0.0);
        return entries > 0 && came > 0 ? entries / came : 1;
    }

    private void decideThresholds(GraphSample sample, Map<String, List<Decision>> decisions) {
        long wait = sample.stages().values().stream().mapToLong(StageSample::oldestWait).sum();
        double memory = (double) sample.usedMemory() / sample.maxMemory();
        boolean high = wait > target || memory > HIGH_MEMORY;
        boolean low = wait < target / 2 && memory < LOW_MEMORY;
        for (EdgeAccount edge : sample.edges()) {
            StageSample stage = sample.stages().get(edge.target());
            if (edge.source() != null || stage == null || edge.accepted() + edge.rejected() == 0) {
                continue;
            }
            int before = thresholds.getOrDefault(edge.target(), StageOptions.MAX_CAPACITY);
            int after = before;
            if (high && stage.queueLength() > 0) {
                after = Math.max(1, Math.min(before, stage.queueLength()) / 2);
            } else if (low && before < StageOptions.MAX_CAPACITY) {
                after = Math.min(StageOptions.MAX_CAPACITY, before + INCREMENT + before / INCREMENT_DIVISOR);
            }
            if (after != before) {
                thresholds.put(edge.target(), after);
                decisions.computeIfAbsent(edge.target(), name -> new ArrayList<>())
                        .add(new Decision.Threshold(after));
            }
        }
        thresholds.keySet().retainAll(sample.stages().keySet());
    }
}
