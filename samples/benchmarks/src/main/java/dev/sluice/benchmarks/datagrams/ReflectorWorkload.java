package dev.sluice.benchmarks.datagrams;

import com.sun.management.ThreadMXBean;
import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.workload.ProcessorTime;
import dev.sluice.benchmarks.workload.Workload;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Sends datagrams back to where they come from, in the thread that works. */
abstract class ReflectorWorkload implements Workload {

    static final String PER_SECOND = "sent back per second";
    static final String PER_PROCESSOR_SECOND = "sent back per CPU second";
    static final String ALLOCATED = "allocated per datagram sent back";

    /** How long to wait for datagrams, until it is asked again whether there will be any. */
    static final Duration WAIT = Duration.ofMillis(20);
    /** Larger than any datagram. */
    static final int BUFFER_SIZE = 2048;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final int size;
    private final boolean sentJoined;

    /**
     * Creates a workload.
     *
     * @param arguments the size of a datagram, how they are sent, and what the contestant needs
     */
    ReflectorWorkload(List<String> arguments) {
        size = Integer.parseInt(arguments.get(0));
        sentJoined = arguments.get(1).equals(DatagramSuite.JOINED);
    }

    @Override
    public final void work(Duration time, Recorder recorder) throws IOException, InterruptedException {
        ReflectionClient client = new ReflectionClient(address().getPort(), size, sentJoined, time);
        Thread thread = new Thread(client, "client");
        long allocated = THREADS.getCurrentThreadAllocatedBytes();
        long processor = ProcessorTime.ofThread();
        thread.start();
        try {
            while (!client.isOver()) {
                reflect();
            }
        } finally {
            thread.join();
        }
        double count = client.count();
        recorder.record(PER_PROCESSOR_SECOND,
                count * TimeUnit.SECONDS.toNanos(1) / (ProcessorTime.ofThread() - processor));
        recorder.record(ALLOCATED, (THREADS.getCurrentThreadAllocatedBytes() - allocated) / count);
        recorder.record(PER_SECOND, count / client.seconds());
    }

    /** {@return where it listens, on the loopback address} */
    abstract InetSocketAddress address() throws IOException;

    /** Waits for datagrams, no longer than {@link #WAIT}, and sends back all that are there. */
    abstract void reflect() throws IOException;

    static IOException socketFull() {
        return new IOException("the socket has no space for the datagrams to send back");
    }
}
