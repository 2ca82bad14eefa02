package dev.sluice.benchmarks.load;

import com.sun.management.OperatingSystemMXBean;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.FileProblem;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Connects peers to a router, and sends packets through it. */
final class PacketsRun {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration LONGEST_WAIT = Duration.ofMillis(1);
    private static final int SMALL_BUFFER = 4 * 1024;
    /** Enough that neither the router nor a peer has to wait for the other one to begin. */
    private static final int MAX_IN_FLIGHT = 1 << 16;
    private static final int DIGITS = 3;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final double NANOS_PER_MICROSECOND = 1e3;

    private final Packets order;
    private final PacketFormat format;
    private final InetSocketAddress router;
    private final OperatingSystemMXBean self = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final Histogram times = new Histogram(DIGITS);
    private final List<PacketReceiver> receivers = new ArrayList<>();
    private Reactor reactor;
    private PacketSender sender;
    private long start;
    private long sent;
    private long firstMeasured = Long.MAX_VALUE;
    private boolean isOver;
    private Throwable failure;

    /**
     * Creates a run.
     *
     * @param order the order
     */
    PacketsRun(Packets order) {
        this.order = order;
        this.format = new PacketFormat(order);
        this.router = new InetSocketAddress("127.0.0.1", order.port());
    }

    /**
     * {@return the number of packets that came, and how late}
     *
     * @throws IOException if one was changed or repeated, or the router has closed a connection that was read from
     */
    PacketsResult measure() throws IOException {
        List<SocketStream> streams = new ArrayList<>();
        try (Reactor opened = Reactor.open()) {
            reactor = opened;
            sender = new PacketSender(connect(streams), this);
            for (int i = 0; i < order.receivers(); i++) {
                receivers.add(new PacketReceiver(connect(streams), this));
            }
            sender.begin();
            for (PacketReceiver receiver : receivers) {
                receiver.begin();
            }
            return measureThem(streams);
        } finally {
            streams.forEach(SocketStream::close);
        }
    }

    private SocketStream connect(List<SocketStream> streams) throws IOException {
        SocketStream stream = SocketConnector.connect(router, TIMEOUT);
        streams.add(stream);
        stream.setOption(NativeSocketOptions.TCP_NODELAY, true);
        stream.sendFully(PacketFormat.greeting(), TIMEOUT);
        ByteBuffer welcome = PacketFormat.welcome();
        ByteBuffer answer = ByteBuffer.allocate(welcome.limit());
        if (!stream.receiveFully(answer, TIMEOUT) || !answer.flip().equals(welcome)) {
            throw new IOException("the router has not answered the greeting of " + stream);
        }
        return stream;
    }

    private PacketsResult measureThem(List<SocketStream> streams) throws IOException {
        ServerCpu server = new ServerCpu(order.server());
        start = System.nanoTime();
        run(order.warmUpMillis());
        // Not before: they are to fill up, and to be closed for that, inside the measured time.
        for (int i = 0; i < order.slow(); i++) {
            connect(streams).setOption(NativeSocketOptions.SO_RCVBUF, SMALL_BUFFER);
        }
        if (order.slow() > 0 && order.perSecond() > 0) {
            catchUp();
        }
        double serverCpu = server.seconds();
        long selfCpu = self.getProcessCpuTime();
        long began = System.nanoTime();
        firstMeasured = sent;
        long before = minimum();
        run(order.measuredMillis());
        // On a busy machine this may have been asleep all the time.
        dispatch();
        long rated = minimum() - before;
        double nanos = System.nanoTime() - began;
        selfCpu = self.getProcessCpuTime() - selfCpu;
        serverCpu = server.seconds() - serverCpu;
        isOver = true;
        awaitTheRest();
        long lost = 0;
        for (PacketReceiver receiver : receivers) {
            lost += sent - firstMeasured - receiver.came(firstMeasured, sent);
        }
        boolean none = times.getTotalCount() == 0;
        return new PacketsResult(nanos / NANOS_PER_SECOND, sent - firstMeasured, lost,
                rated / (nanos / NANOS_PER_SECOND), none ? 0 : times.getMean() / NANOS_PER_MICROSECOND,
                times.getValueAtPercentile(99) / NANOS_PER_MICROSECOND,
                times.getMaxValue() / NANOS_PER_MICROSECOND, Double.isNaN(serverCpu) ? null : serverCpu,
                selfCpu / nanos);
    }

    /** {@return how many have come to the receiver to which the fewest have} */
    private long minimum() {
        long minimum = Long.MAX_VALUE;
        for (PacketReceiver receiver : receivers) {
            minimum = Math.min(minimum, receiver.count());
        }
        return minimum;
    }

    private void run(long millis) throws IOException {
        long end = System.nanoTime() + millis * NANOS_PER_MILLI;
        while (end - System.nanoTime() > 0) {
            dispatch();
        }
    }

    /** Sends what was due while no peer sent, before anything is counted: its delay is not the router's. */
    private void catchUp() throws IOException {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (isDue() && end - System.nanoTime() > 0) {
            dispatch();
        }
    }

    private void awaitTheRest() throws IOException {
        long last = System.nanoTime();
        long came = minimum();
        while (came < sent && System.nanoTime() - last < order.timeoutMillis() * NANOS_PER_MILLI) {
            dispatch();
            long now = minimum();
            if (now > came) {
                came = now;
                last = System.nanoTime();
            }
        }
    }

    private void dispatch() throws IOException {
        sender.send();
        reactor.runOnce(LONGEST_WAIT);
        if (failure != null) {
            throw new IOException(FileProblem.describe(failure), failure);
        }
    }

    Reactor reactor() {
        return reactor;
    }

    PacketFormat format() {
        return format;
    }

    /** {@return the number of packets sent or about to be sent} */
    long sent() {
        return sent;
    }

    /** {@return whether another packet is to be sent now} */
    boolean isDue() {
        return !isOver && (order.perSecond() == 0 ? sent - minimum() < MAX_IN_FLIGHT
                : due(sent) - System.nanoTime() <= 0);
    }

    private long due(long number) {
        return start + number * NANOS_PER_SECOND / order.perSecond();
    }

    /** {@return the number of the packet that is sent now} */
    long next() {
        return sent++;
    }

    /**
     * A packet has come to a receiver.
     *
     * @param number of the packet
     * @param now    when
     */
    void came(long number, long now) {
        if (number >= firstMeasured && order.perSecond() > 0) {
            times.recordValue(Math.max(0, now - due(number)));
        }
    }

    /** This machine cannot do it, or the router has done something wrong. */
    void failed(Throwable cause) {
        failure = cause;
    }
}
