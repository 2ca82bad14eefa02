package dev.sluice.samples.wal;

import dev.sluice.samples.server.VirtualThreads;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;

/** Threads that append to a log, each the next record when the last one is on the disk. */
final class WriteLoad {

    private static final long HIGHEST_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final int DIGITS = 3;
    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final WriteAheadLog log;
    private final int bytes;
    private final long run;
    private final boolean virtual;
    private final PrintWriter acknowledged;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /**
     * Creates a load that has not begun.
     *
     * @param log          the log
     * @param bytes        the length of each record
     * @param run          the number of this run
     * @param virtual      whether the threads are virtual ones, for which the Proactor of the log writes
     * @param acknowledged gets a line for each append that has returned; null for none
     */
    WriteLoad(WriteAheadLog log, int bytes, long run, boolean virtual, PrintWriter acknowledged) {
        this.log = log;
        this.bytes = bytes;
        this.run = run;
        this.virtual = virtual;
        this.acknowledged = acknowledged;
    }

    /**
     * Appends for a time.
     *
     * @param threads the number of threads
     * @param time    how long
     * @param out     gets the figures
     * @throws IOException the first failure of an append
     */
    void run(int threads, Duration time, PrintWriter out) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        List<Histogram> latencies = new ArrayList<>();
        CountDownLatch running = new CountDownLatch(threads);
        ExecutorService appenders = virtual ? VirtualThreads.newExecutor() : Executors.newFixedThreadPool(threads);
        try {
            for (int i = 1; i <= threads; i++) {
                Histogram own = new Histogram(HIGHEST_NANOS, DIGITS);
                latencies.add(own);
                int number = i;
                appenders.execute(() -> {
                    try {
                        append(number, time.toNanos(), own);
                    } finally {
                        running.countDown();
                    }
                });
            }
            running.await();
        } finally {
            appenders.shutdown();
        }
        long nanos = System.nanoTime() - begin;
        Throwable thrown = failure.get();
        if (thrown != null) {
            throw thrown instanceof IOException problem ? problem : new IOException(thrown.toString(), thrown);
        }
        Histogram all = new Histogram(HIGHEST_NANOS, DIGITS);
        latencies.forEach(all::add);
        print(all, nanos, out);
    }

    private void append(int thread, long nanos, Histogram latency) {
        try {
            ByteBuffer record = ByteBuffer.allocate(bytes);
            // From here, so that a thread that starts late appends, too.
            long begin = System.nanoTime();
            long before = begin;
            for (long count = 1; before - begin < nanos && failure.get() == null; count++) {
                LoadRecord own = new LoadRecord(run, thread, count);
                own.put(record);
                long number = log.append(record);
                long after = System.nanoTime();
                latency.recordValue(Math.min(after - before, HIGHEST_NANOS));
                before = after;
                if (acknowledged != null) {
                    acknowledge(number, own);
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        }
    }

    private void acknowledge(long number, LoadRecord record) {
        synchronized (acknowledged) {
            acknowledged.println(number + " " + record);
            acknowledged.flush();
        }
    }

    private void print(Histogram all, long nanos, PrintWriter out) {
        long appends = all.getTotalCount();
        out.printf(Locale.ROOT, "%d appends in %d groups, %.0f appends/s (%s)%n", appends, log.groups(),
                appends * (double) TimeUnit.SECONDS.toNanos(1) / nanos,
                virtual ? log.demultiplexer() : "platform threads");
        out.printf(Locale.ROOT, "latency in ms: p50 %.2f, p99 %.2f, p99.9 %.2f, maximum %.2f%n",
                all.getValueAtPercentile(50) / NANOS_PER_MILLI, all.getValueAtPercentile(99) / NANOS_PER_MILLI,
                all.getValueAtPercentile(99.9) / NANOS_PER_MILLI, all.getMaxValue() / NANOS_PER_MILLI);
        out.flush();
    }
}
