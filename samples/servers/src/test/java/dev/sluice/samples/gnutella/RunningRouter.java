package dev.sluice.samples.gnutella;

import dev.sluice.proactor.ProactorGroup;
import dev.sluice.samples.Patience;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageAccount;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** A router in the process of the test, on a port of its own. */
final class RunningRouter implements AutoCloseable {

    /** Fifty times as often as the sample, so that a test of a limit waits hardly longer than the limit. */
    private static final Duration INTERVAL = Duration.ofMillis(20);
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);

    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final ProactorGroup loop;
    private final GnutellaNode node;
    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private boolean stopped;

    private RunningRouter(Settings settings) throws IOException {
        loop = ProactorGroup.open(1);
        loop.onFailure(failure::set);
        loop.start();
        try {
            node = new GnutellaNode(settings, loop.loops().get(0));
        } catch (Throwable e) {
            loop.close();
            throw e;
        }
    }

    /** How it is to be: no catcher, much patience, unless a test says otherwise. */
    static final class Builder {

        private InetSocketAddress address = ANY_PORT;
        private List<InetSocketAddress> given = List.of();
        private int kept;
        private int neighbours = 64;
        private int queue = 2048;
        private int outgoingBytes = 128 * 1024;
        private int threads = 1;
        private Duration queryDelay = Duration.ZERO;
        private OverloadPolicy policy = OverloadPolicy.THROTTLE;
        private int packetRate = 50;
        private boolean timed;
        private Duration timeout = Patience.LIMIT;
        private Duration tolerance = Duration.ofSeconds(5);
        private Duration silence = Duration.ofHours(1);

        Builder address(InetSocketAddress value) {
            address = value;
            return this;
        }

        Builder keep(int count, InetSocketAddress... hosts) {
            kept = count;
            given = List.of(hosts);
            return this;
        }

        Builder neighbours(int maximum) {
            neighbours = maximum;
            return this;
        }

        Builder queue(int messages, OverloadPolicy onOverload) {
            queue = messages;
            policy = onOverload;
            return this;
        }

        Builder outgoingBytes(int maximum) {
            outgoingBytes = maximum;
            return this;
        }

        Builder threads(int maximum) {
            threads = maximum;
            return this;
        }

        Builder queryDelay(Duration delay) {
            queryDelay = delay;
            return this;
        }

        Builder packetRate(int perSecond) {
            policy = OverloadPolicy.RATE;
            packetRate = perSecond;
            return this;
        }

        Builder timed() {
            timed = true;
            return this;
        }

        Builder timeout(Duration time) {
            timeout = time;
            return this;
        }

        Builder tolerance(Duration time) {
            tolerance = time;
            return this;
        }

        Builder silence(Duration longest) {
            silence = longest;
            return this;
        }

        RunningRouter start() throws IOException {
            return new RunningRouter(new Settings(address, given, kept, neighbours, queue, outgoingBytes, threads,
                    queryDelay, policy, packetRate, timed, timeout, INTERVAL, tolerance, silence));
        }
    }

    static Builder with() {
        return new Builder();
    }

    static RunningRouter start() throws IOException {
        return with().start();
    }

    InetSocketAddress address() throws IOException {
        return node.address();
    }

    /** {@return a neighbour by 0.6, closed with this} */
    Servent neighbour(String... headers) throws IOException {
        return own(Servent.connect(address(), headers));
    }

    <T extends AutoCloseable> T own(T each) {
        owned.push(each);
        return each;
    }

    TrafficCounts counts() {
        return node.counts();
    }

    long dropped(DropReason reason) {
        return counts().dropped(reason);
    }

    Stage<?> stage(String name) {
        return node.graph().stages().stream().filter(stage -> stage.name().equals(name)).findFirst().orElseThrow();
    }

    /**
     * {@return the number of events that its stages have done with} To be read before those that they have accepted.
     */
    long completedEvents() {
        return node.graph().accounts().stream().mapToLong(each -> each.accepted() - each.pending()).sum();
    }

    long acceptedEvents() {
        return node.graph().accounts().stream().mapToLong(StageAccount::accepted).sum();
    }

    boolean stop(Duration grace) {
        stopped = true;
        return node.stop(grace).isDrained();
    }

    @Override
    public void close() throws Exception {
        while (!owned.isEmpty()) {
            owned.pop().close();
        }
        if (!stopped) {
            stop(Duration.ZERO);
        }
        loop.close();
        if (failure.get() != null) {
            throw new AssertionError("the loop has failed", failure.get());
        }
    }
}
