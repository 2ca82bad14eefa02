package dev.sluice.stages;

import java.time.Duration;

/**
 * The paper's thread pool controller (3.4, figure 8). Samples the queue periodically, and adds a thread if it is long;
 * removes a thread that has been idle for long. In addition, it adds a thread if the oldest event has waited for long,
 * since a short queue can be slow, too (figure 14b). It removes a thread that has not increased the throughput, and
 * waits for some samples before it tries again. As throughput may have grown for another reason when a thread was
 * added, for example because the code had just been compiled, it also tries periodically with one thread fewer, and
 * restores it if throughput falls. It adds none while the existing threads catch up: another one would only serve a
 * backlog that is about to end, and as long as events arrive it might not be idle for long enough to be removed. So
 * there are not many more threads than Little's law requires.
 */
public final class ThreadPoolController implements StageController {

    /** Default time between two samples. */
    public static final Duration PERIOD = Duration.ofSeconds(2);
    /** Default length of the queue above which a thread is added. */
    public static final int QUEUE_THRESHOLD = 100;
    /** Default wait of the oldest event after which a thread is added. */
    public static final Duration OLDEST = Duration.ofMillis(100);
    /** Default minimum number of threads. */
    public static final int DEFAULT_MIN = 1;
    /** Default maximum number of threads. */
    public static final int DEFAULT_MAX = 20;
    /** Default time after which an idle thread is removed. */
    public static final Duration IDLE = Duration.ofSeconds(5);

    /** Minimum growth of the throughput with another thread, as a factor. */
    private static final double GAIN = 1.02;
    /**
     * Minimum contribution of another thread, as a share of the mean contribution of the others. Where the processors
     * are the bottleneck, it contributes nothing, but two samples differ by a few hundredths anyway. So the more
     * threads there are, the less reliably this is detected.
     */
    private static final double MIN_RELATIVE_GAIN = 0.25;
    /** Number of samples after which a thread may be added again when one was removed. */
    private static final int SAMPLES_BEFORE_RETRY = 5;
    /** Number of samples under load after which one thread fewer is tried: the stage lacks it until the next sample. */
    private static final int SAMPLES_BEFORE_SHRINKING = 20;
    /** Number of samples within which a shrinking queue has to become empty, at the rate of the last one. */
    private static final int SAMPLES_TO_DRAIN = 5;
    private static final int MAX_THREADS = 1 << 16;
    private static final double NANOS_PER_SECOND = 1e9;

    private long period = PERIOD.toNanos();
    private int queueThreshold = QUEUE_THRESHOLD;
    private long oldest = OLDEST.toNanos();
    private int minThreads = DEFAULT_MIN;
    private int maxThreads = DEFAULT_MAX;
    private long idle = IDLE.toNanos();

    private long elapsed;
    private long handled;
    /** The length of the queue at the last sample. */
    private int lengthBefore;
    /** The change requested at the last sample: 1 for another thread, -1 for one fewer, or 0. */
    private int trial;
    /** Number of threads before that change. */
    private int threadsBefore;
    /** Events per second before that change. */
    private double rateBefore;
    private int samplesToSkip;
    /** Number of samples under load since it last tried with one fewer. */
    private int samplesUnderLoad;

    /** Creates a controller with the paper's parameters. */
    public ThreadPoolController() {
    }

    /**
     * Sets the time between two samples.
     *
     * @param time more than 0
     * @return this
     */
    public ThreadPoolController period(Duration time) {
        period = Ranges.positive("period", time);
        return this;
    }

    /**
     * Sets the length of the queue above which a thread is added.
     *
     * @param length at least 0
     * @return this
     */
    public ThreadPoolController queueThreshold(int length) {
        queueThreshold = Ranges.between("queue threshold", length, 0, EventRing.MAX_CAPACITY);
        return this;
    }

    /**
     * Sets the wait of the oldest event after which a thread is added.
     *
     * @param wait more than 0
     * @return this
     */
    public ThreadPoolController oldest(Duration wait) {
        oldest = Ranges.positive("oldest", wait);
        return this;
    }

    /**
     * Sets the range of the number of threads. The stage's own maximum applies as well.
     *
     * @param minimum at least 1
     * @param maximum at least the minimum
     * @return this
     */
    public ThreadPoolController threads(int minimum, int maximum) {
        minThreads = Ranges.between("minimum threads", minimum, 1, MAX_THREADS);
        maxThreads = Ranges.between("maximum threads", maximum, minimum, MAX_THREADS);
        return this;
    }

    /**
     * Sets the time after which an idle thread is removed.
     *
     * @param time more than 0
     * @return this
     */
    public ThreadPoolController idle(Duration time) {
        idle = Ranges.positive("idle", time);
        return this;
    }

    @Override
    public Decision decide(StageSample sample) {
        elapsed += sample.elapsed();
        handled += sample.handled();
        if (elapsed < period) {
            return Decision.NOTHING;
        }
        Decision decision = look(sample, handled * NANOS_PER_SECOND / elapsed);
        elapsed = 0;
        handled = 0;
        lengthBefore = sample.queueLength();
        return decision;
    }

    private Decision look(StageSample sample, double rate) {
        int threads = sample.threads();
        boolean loaded = sample.queueLength() > queueThreshold || sample.oldestWait() >= oldest;
        samplesUnderLoad = loaded ? samplesUnderLoad + 1 : 0;
        if (samplesToSkip > 0) {
            samplesToSkip--;
        }
        // Otherwise the stage has its maximum, or could not create a thread.
        int tried = Integer.signum(threads - threadsBefore) == trial ? trial : 0;
        trial = 0;
        if (loaded && tried != 0) {
            boolean isWorthIt = tried > 0 ? brings(rate, rateBefore, threads) : brings(rateBefore, rate, threadsBefore);
            int undone = threads - tried;
            if (isWorthIt != tried > 0 && undone >= minThreads && undone <= maxThreads) {
                samplesToSkip = SAMPLES_BEFORE_RETRY;
                return new Decision.Threads(undone);
            }
            if (tried < 0) {
                // There may be other threads of no use; and another one would not help soon.
                samplesToSkip = SAMPLES_BEFORE_RETRY;
                return threads > minThreads ? attempt(-1, threads, rate) : Decision.NOTHING;
            }
        }
        if (loaded && !isCatchingUp(sample.queueLength())) {
            if (threads < maxThreads && samplesToSkip == 0) {
                return attempt(1, threads, rate);
            }
            if (threads > minThreads && samplesUnderLoad > SAMPLES_BEFORE_SHRINKING) {
                return attempt(-1, threads, rate);
            }
        }
        if (sample.longestIdle() > idle && threads > minThreads) {
            return new Decision.Threads(threads - 1);
        }
        return Decision.NOTHING;
    }

    private Decision attempt(int step, int threads, double rate) {
        trial = step;
        threadsBefore = threads;
        rateBefore = rate;
        if (step < 0) {
            samplesUnderLoad = 0;
        }
        return new Decision.Threads(threads + step);
    }

    /** {@return whether the last of the given number of threads, more than one, increases the throughput enough} */
    private static boolean brings(double rateWith, double rateWithout, int threads) {
        return rateWith >= rateWithout * Math.max(GAIN, 1 + MIN_RELATIVE_GAIN / (threads - 1));
    }

    /** {@return whether there was a backlog that will soon have been handled} */
    private boolean isCatchingUp(int length) {
        return lengthBefore > queueThreshold && length <= SAMPLES_TO_DRAIN * (long) (lengthBefore - length);
    }
}
