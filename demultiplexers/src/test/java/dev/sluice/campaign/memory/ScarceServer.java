package dev.sluice.campaign.memory;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBudget;
import dev.sluice.calls.SmallJvm;
import dev.sluice.connection.Acceptor;
import dev.sluice.connection.ListenOptions;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.handle.MemoryInUse;
import dev.sluice.handle.OpenDescriptors;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.proactor.AsyncAcceptor;
import dev.sluice.proactor.Proactor;
import dev.sluice.reactor.Reactor;
import dev.sluice.system.Scratch;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/** Serves on one demultiplexer after the other, and says what each has left behind. */
public final class ScarceServer {

    static final String PORT = "port ";
    static final String ENDED = "ended ";

    private static final String NOTHING = "in order";
    private static final Duration A_WHILE = Duration.ofSeconds(20);
    private static final MemoryHog HOARD = new MemoryHog();

    private final Tally tally = new Tally();
    private EventLoop loop;

    private ScarceServer() {
    }

    /** {@return what makes the server serve on a demultiplexer} */
    static String argument(Mode mode, String demultiplexer) {
        return mode + "=" + demultiplexer;
    }

    /** {@return whether a line says that all is in order} */
    static boolean isInOrder(String line) {
        return line.equals(ENDED + NOTHING);
    }

    /**
     * Serves.
     *
     * @param arguments one {@link #argument} for each time
     */
    public static void main(String[] arguments) throws Exception {
        prepare();
        for (String argument : arguments) {
            int separator = argument.indexOf('=');
            ScarceServer server = new ScarceServer();
            server.observe(Mode.valueOf(argument.substring(0, separator)), argument.substring(separator + 1));
        }
    }

    /** Makes the facades allocate the memory that they keep for later calls, and the binding start what frees some. */
    private static void prepare() throws IOException {
        Bindings.current().memory().allocateBuffer(1);
        listener().close();
        try (Pipe pipe = Pipe.open()) {
            pipe.send(ByteBuffer.allocate(1));
        }
    }

    private static SocketAcceptor listener() throws IOException {
        return SocketAcceptor.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private static void say(String line) {
        System.out.println(SmallJvm.MARK + line);
    }

    private void observe(Mode mode, String demultiplexer) throws Exception {
        OpenDescriptors descriptors = OpenDescriptors.now();
        Set<Thread> threads = Thread.getAllStackTraces().keySet();
        long blocks = MemoryInUse.bytes();
        long budget = budgetBytes();
        long direct = directBytes();
        StringBuilder problems = new StringBuilder();
        try {
            serve(mode, demultiplexer);
        } catch (Throwable e) {
            HOARD.awaitRelease();
            e.printStackTrace(System.out);
            problems.append("the loop has ended: ").append(e).append("; ");
        }
        // What observes needs memory, too.
        HOARD.awaitRelease();
        problems.append(tally.problems());
        compare("bytes in blocks", blocks, MemoryInUse::bytes, problems);
        compare("bytes of the budget", budget, ScarceServer::budgetBytes, problems);
        compare("bytes of direct memory", direct, ScarceServer::directBytes, problems);
        Set<Thread> left = new HashSet<>(Thread.getAllStackTraces().keySet());
        left.removeAll(threads);
        for (Thread thread : left) {
            thread.join(A_WHILE.toMillis());
            if (thread.isAlive()) {
                problems.append(" leaked ").append(thread);
            }
        }
        String leaked = OpenDescriptors.now().without(descriptors);
        if (!leaked.isEmpty()) {
            problems.append(" leaked ").append(leaked.replace('\n', ','));
        }
        say(ENDED + (problems.isEmpty() ? NOTHING : problems));
    }

    private static void compare(String what, long before, LongSupplier now, StringBuilder problems)
            throws InterruptedException {
        for (long end = System.nanoTime() + A_WHILE.toNanos();
                now.getAsLong() > before && System.nanoTime() < end; Thread.sleep(10)) {
            System.gc();
        }
        if (now.getAsLong() > before) {
            problems.append(" leaked ").append(now.getAsLong() - before).append(' ').append(what);
        }
    }

    /** What the collector frees, too. */
    private static long budgetBytes() {
        return MemoryBudget.CURRENT.used() - Scratch.pooledBytes();
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct")).mapToLong(BufferPoolMXBean::getMemoryUsed).sum();
    }

    private void serve(Mode mode, String demultiplexer) throws IOException {
        SocketAcceptor listener = listener();
        int port = ((InetSocketAddress) listener.localAddress()).getPort();
        if (mode == Mode.SYNCHRONOUS) {
            Reactor reactor = Reactor.open(demultiplexer);
            loop = reactor;
            Acceptor.listen(List.of(reactor), listener, new ListenOptions(), () -> new ReactiveScarceService(this));
        } else {
            Proactor proactor = Proactor.open(demultiplexer);
            loop = proactor;
            AsyncAcceptor.listen(List.of(proactor), listener, new ListenOptions(),
                    stream -> new ProactiveScarceService(this, stream).receive());
        }
        say(PORT + port);
        try {
            loop.run();
        } finally {
            loop.close();
        }
    }

    // For the services

    Tally tally() {
        return tally;
    }

    /** Does what a message wants. */
    void obey(ByteBuffer message) throws IOException {
        int argument = Order.argument(message);
        switch (Order.of(message)) {
            case ECHO -> { }
            case FAIL -> throw new IOException("as ordered");
            case EXHAUST_HEAP -> MemoryHog.exhaustHeap();
            case EXHAUST_DIRECT -> MemoryHog.exhaustDirect();
            case HOARD_HEAP -> HOARD.keepHeap(argument);
            case HOARD_DIRECT -> HOARD.keepDirect(argument);
            case STOP -> loop.stop();
        }
    }

    /** {@return a buffer for one message, sometimes in the heap and sometimes not} */
    ByteBuffer newBuffer() {
        return tally.begun() % 2 == 0 ? ByteBuffer.allocate(Order.SIZE) : ByteBuffer.allocateDirect(Order.SIZE);
    }
}
