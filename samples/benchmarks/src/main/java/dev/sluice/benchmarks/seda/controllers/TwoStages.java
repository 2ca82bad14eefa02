package dev.sluice.benchmarks.seda.controllers;

import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.workload.Workload;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.GlobalController;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageContext;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.StageOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Two stages that compute, one behind the other, and an open loop of more jobs than the processors can do. */
public final class TwoStages implements Workload {

    static final String DONE = "jobs done per second";
    static final String WASTED = "share of the jobs of the first stage that are not done in the end";
    static final String HIGH = "90th percentile of the time of a job";
    static final String THREADS = "mean number of threads";

    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();
    private static final Duration END = Duration.ofSeconds(5);
    private static final int CAPACITY = 1024;
    private static final int DIGITS = 3;
    private static final double HUNDRED = 100;
    private static final double NINETY = 90;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final String SECOND = "render";

    private final Control control;
    private final int perSecond;
    private final Duration first;
    private final Duration second;
    private final Duration warmUp;
    private final LongAdder parsed = new LongAdder();
    /** Jobs that were done before the time that is measured. */
    private long doneBefore;
    private final Histogram times = new ConcurrentHistogram(DIGITS);

    /**
     * Creates the workload.
     *
     * @param arguments as from {@link #arguments}
     */
    public TwoStages(List<String> arguments) {
        control = Control.valueOf(arguments.get(0));
        perSecond = Integer.parseInt(arguments.get(1));
        first = Duration.ofNanos(Long.parseLong(arguments.get(2)));
        second = Duration.ofNanos(Long.parseLong(arguments.get(3)));
        warmUp = Duration.ofNanos(Long.parseLong(arguments.get(4)));
    }

    /**
     * {@return what the constructor takes}
     *
     * @param control   of the stages
     * @param perSecond the number of jobs that come
     * @param first     the processor time of a job in the first stage
     * @param second    in the second one
     * @param warmUp    the time in which the controllers adapt
     */
    static List<String> arguments(Control control, int perSecond, Duration first, Duration second, Duration warmUp) {
        return List.of(control.name(), Integer.toString(perSecond), Long.toString(first.toNanos()),
                Long.toString(second.toNanos()), Long.toString(warmUp.toNanos()));
    }

    @Override
    public void work(Duration time, Recorder recorder) throws IOException, InterruptedException {
        GlobalController global = control.ofGraph();
        try (StageGraph graph = new StageGraph("two stages", global)) {
            StageOptions<Job> entry = options();
            if (global != null) {
                entry.admission(global.admission());
            }
            Stage<Job> parse = graph.add("parse", Job.class, new Parse(), entry);
            Stage<Job> render = graph.add(SECOND, Job.class, new Render(), options());
            graph.start();
            long start = System.nanoTime();
            long begin = start + warmUp.toNanos();
            long end = begin + time.toNanos();
            double threads = send(parse, render, start, begin, end);
            double seconds = (System.nanoTime() - begin) / NANOS_PER_SECOND;
            long doneInTime = render.handled() - doneBefore;
            // What is done now is not wasted.
            graph.stop(END);
            if (times.getTotalCount() == 0) {
                throw new IOException("no job that came within " + time + " was done");
            }
            recorder.record(DONE, doneInTime / seconds);
            recorder.record(WASTED, HUNDRED * Math.max(0, parsed.sum() - times.getTotalCount()) / parsed.sum());
            recorder.record(HIGH, times.getValueAtPercentile(NINETY) / NANOS_PER_MILLI);
            recorder.record(THREADS, threads);
        }
    }

    @Override
    public void close() {
        // The graph lives as long as the work.
    }

    private StageOptions<Job> options() {
        StageOptions<Job> options = new StageOptions<Job>().capacity(CAPACITY).batch(1);
        control.apply(options);
        return options;
    }

    /** {@return the mean number of threads in the time that is measured} */
    private double send(Stage<Job> parse, Stage<Job> render, long start, long begin, long end) {
        EventQueue<Job> queue = parse.queue();
        long threads = 0;
        long looks = 0;
        for (long i = 0, due = start; due - end < 0; due = start + ++i * TimeUnit.SECONDS.toNanos(1) / perSecond) {
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            boolean counted = due - begin >= 0;
            if (counted && looks == 0) {
                doneBefore = render.handled();
            }
            queue.enqueue(new Job(due, counted));
            if (counted) {
                threads += parse.threads() + render.threads();
                looks++;
            }
        }
        return looks == 0 ? 0 : threads / (double) looks;
    }

    /** Uses processor time, which more threads than processors do not make cheaper. */
    private static void compute(Duration cost) {
        long end = CPU.getCurrentThreadCpuTime() + cost.toNanos();
        while (CPU.getCurrentThreadCpuTime() < end) {
            Thread.onSpinWait();
        }
    }

    /** The handler of the first stage. */
    private final class Parse implements StageHandler<Job> {

        private EventQueue<Job> next;

        @Override
        public void handleStart(StageContext context) {
            next = context.queue(SECOND, Job.class);
        }

        @Override
        public void handleEvents(EventBatch<Job> batch) {
            for (Job job = batch.next(); job != null; job = batch.next()) {
                compute(first);
                if (job.counted()) {
                    parsed.increment();
                }
                // If it is refused its work is wasted, which the difference of the counts shows.
                EnqueueResult ignored = next.enqueue(job);
            }
        }

        @Override
        public void handleDiscarded(Job job) {
            // Nothing has been done for it.
        }
    }

    /** The handler of the second stage. */
    private final class Render implements StageHandler<Job> {

        @Override
        public void handleEvents(EventBatch<Job> batch) {
            for (Job job = batch.next(); job != null; job = batch.next()) {
                compute(second);
                if (job.counted()) {
                    times.recordValue(System.nanoTime() - job.due());
                }
            }
        }

        @Override
        public void handleDiscarded(Job job) {
            // Its work is wasted, which the difference of the counts shows.
        }
    }
}
