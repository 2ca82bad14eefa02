package dev.sluice.benchmarks.waiting;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The Selector of java.nio. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SelectorWait {

    private static final Consumer<SelectionKey> VISIT = SelectorWait::visit;

    /** Number of connections registered. */
    @Param("10")
    public int registered;

    /** How many of hundred are ready. */
    @Param("10")
    public int percent;

    private final Connections connections = new Connections();
    private final List<SocketChannel> nearEnds = new ArrayList<>();
    private Selector selector;

    /** For JMH. */
    public SelectorWait() {
    }

    /**
     * Connects and registers.
     *
     * @throws IOException if the system refuses
     */
    @Setup
    public void open() throws IOException {
        selector = Selector.open();
        try (ServerSocketChannel acceptor = ServerSocketChannel.open().bind(Connections.LOOPBACK)) {
            connections.connect(acceptor.getLocalAddress(), registered, percent, attachment -> {
                SocketChannel nearEnd = acceptor.accept();
                nearEnds.add(nearEnd);
                nearEnd.configureBlocking(false);
                nearEnd.register(selector, SelectionKey.OP_READ, attachment);
            });
        }
        // Until what was sent has come, so that all are ready from the first measured select on.
        while (!connections.areReported()) {
            selector.select(VISIT);
        }
    }

    private static void visit(SelectionKey key) {
        ((Watched) key.attachment()).report(key.isReadable());
    }

    /**
     * Selects, and takes each key out of the set of selected keys.
     *
     * @param events counts them
     * @throws IOException if selecting fails
     */
    @Benchmark
    public void selectedKeys(ReadyEvents events) throws IOException {
        selector.select();
        Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
        while (keys.hasNext()) {
            SelectionKey key = keys.next();
            keys.remove();
            visit(key);
            events.reported++;
        }
    }

    /**
     * Selects with an action for each key.
     *
     * @param events counts them
     * @throws IOException if selecting fails
     */
    @Benchmark
    public void action(ReadyEvents events) throws IOException {
        events.reported += selector.select(VISIT);
    }

    /**
     * Ends it all.
     *
     * @throws IOException if the system refuses
     */
    @TearDown
    public void close() throws IOException {
        connections.close();
        selector.close();
        for (SocketChannel nearEnd : nearEnds) {
            nearEnd.close();
        }
    }
}
