package dev.sluice.benchmarks.datagrams;

import com.sun.management.ThreadMXBean;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.workload.ProcessorTime;
import dev.sluice.benchmarks.workload.Workload;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Receives bursts, in the thread that works. */
abstract class DatagramWorkload implements Workload {

    static final String ARRIVED = "arrived of " + Burst.COUNT;
    static final String DROPPED = "dropped by the kernel";
    static final String PER_SECOND = "received per second";
    static final String PER_PROCESSOR_SECOND = "received per CPU second";
    static final String ALLOCATED = "allocated per datagram";

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final int size;
    private final boolean sentJoined;
    private final Arrivals arrivals;

    /**
     * Creates a workload.
     *
     * @param arguments the size of a datagram, how they are sent, and what the contestant needs
     */
    DatagramWorkload(List<String> arguments) {
        size = Integer.parseInt(arguments.get(0));
        sentJoined = arguments.get(1).equals(DatagramSuite.JOINED);
        arrivals = new Arrivals(size);
    }

    /** {@return the address to listen on} */
    static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    final int size() {
        return size;
    }

    final Arrivals arrivals() {
        return arrivals;
    }

    @Override
    public final void work(Duration time, Recorder recorder) throws IOException, InterruptedException {
        long began = System.nanoTime();
        do {
            receiveBurst(recorder);
        } while (System.nanoTime() - began < time.toNanos());
    }

    private void receiveBurst(Recorder recorder) throws IOException, InterruptedException {
        boolean counted = KernelDrops.areTold();
        long dropped = counted ? KernelDrops.of(port()) : 0;
        Burst burst = new Burst(port(), size, sentJoined);
        Thread sender = new Thread(burst, "sender");
        sender.start();
        arrivals.begin();
        long allocated = THREADS.getCurrentThreadAllocatedBytes();
        long processor = ProcessorTime.ofThread();
        long start = System.nanoTime();
        try {
            burst.begin();
            receive();
        } finally {
            burst.end();
        }
        double seconds = TimeUnit.SECONDS.toNanos(1);
        double count = arrivals.count();
        recorder.record(PER_SECOND, count * seconds / (System.nanoTime() - start));
        recorder.record(PER_PROCESSOR_SECOND, count * seconds / (ProcessorTime.ofThread() - processor));
        recorder.record(ALLOCATED, (THREADS.getCurrentThreadAllocatedBytes() - allocated) / count);
        sender.join();
        recorder.record(ARRIVED, count);
        if (counted) {
            dropped = KernelDrops.of(port()) - dropped;
            if (arrivals.count() + dropped > burst.sent()) {
                throw new IOException(burst.sent() + " were sent, " + arrivals.count() + " have arrived, and " + dropped
                        + " were dropped");
            }
            recorder.record(DROPPED, dropped);
        }
        discard();
    }

    /** {@return the port that it listens on, on the loopback address} */
    abstract int port() throws IOException;

    /** Receives until {@link Arrivals#isOver}. */
    abstract void receive() throws IOException;

    /** Receives superfluous end markers, if there are any. */
    abstract void discard() throws IOException;
}
