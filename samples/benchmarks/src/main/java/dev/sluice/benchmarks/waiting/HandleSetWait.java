package dev.sluice.benchmarks.waiting;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.spi.DemultiplexerFactory;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A synchronous demultiplexer of Sluice. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HandleSetWait {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    /** As many as a Selector takes from Linux at once. */
    private static final int BATCH_CAPACITY = 1024;

    /** Its name. */
    @Param("epoll")
    public String demultiplexer;

    /** Number of connections registered. */
    @Param("10")
    public int registered;

    /** How many of hundred are ready. */
    @Param("10")
    public int percent;

    private final Connections connections = new Connections();
    private final List<SocketStream> nearEnds = new ArrayList<>();
    private SynchronousEventDemultiplexer handleSet;
    private ReadyBatch ready;
    private boolean rearms;

    /** For JMH. */
    public HandleSetWait() {
    }

    /**
     * Connects and registers.
     *
     * @throws IOException if the system refuses
     */
    @Setup
    public void open() throws IOException {
        handleSet = DemultiplexerFactory.of(Mechanism.choose(demultiplexer, Mechanism.Mode.SYNCHRONOUS))
                .openSynchronous();
        ready = handleSet.newReadyBatch(BATCH_CAPACITY);
        rearms = handleSet.trigger() != Trigger.LEVEL;
        try (SocketAcceptor acceptor = SocketAcceptor.open(Connections.LOOPBACK)) {
            connections.connect(acceptor.localAddress(), registered, percent, attachment -> {
                SocketStream nearEnd = acceptor.accept(TIMEOUT);
                nearEnds.add(nearEnd);
                handleSet.register(nearEnd.handle(), EventType.READ, attachment);
            });
        }
        // Until what was sent has come, so that all are ready from the first measured wait on.
        while (!connections.areReported()) {
            await();
        }
    }

    /**
     * Waits, and visits what is ready.
     *
     * @param events counts it
     * @throws IOException if the wait fails
     */
    @Benchmark
    public void await(ReadyEvents events) throws IOException {
        events.reported += await();
    }

    private int await() throws IOException {
        int found = handleSet.awaitReady(ready, SynchronousEventDemultiplexer.FOREVER);
        for (int i = 0; i < found; i++) {
            Membership registration = ready.membership(i);
            ((Watched) registration.attachment()).report((ready.events(i) & EventType.READ) != 0);
            if (rearms) {
                registration.rearm();
            }
        }
        return found;
    }

    /**
     * Ends it all.
     *
     * @throws IOException if the system refuses
     */
    @TearDown
    public void close() throws IOException {
        connections.close();
        handleSet.close();
        ready.close();
        nearEnds.forEach(SocketStream::close);
    }
}
