package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.DemultiplexerFactory;
import dev.sluice.demultiplexer.DemultiplexerFactory.Mode;
import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.HandleSetKind;
import dev.sluice.demultiplexer.ReadyHandles;
import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.handle.Pipe;
import dev.sluice.reactor.Recorder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a pool promises, whatever it waits with: each subclass is a part of it, and is run for every synchronous
 * demultiplexer that works here, as the kind that it is; for a concurrent one also with a leader.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.sluice.leaderfollowers.PoolContract#handleSets")
abstract class PoolContract extends PoolTest {

    record HandleSet(String demultiplexer, HandleSetKind kind) {

        LeaderFollowersPool openPool(PromotionOrder order) throws IOException {
            return LeaderFollowersPool.open(demultiplexer, order, kind);
        }

        HandleSetSource openSource() throws IOException {
            return new HandleSetSource(Demultiplexers.openSynchronous(demultiplexer), kind);
        }

        boolean hasLeader() {
            return kind == HandleSetKind.ITERATIVE;
        }

        @Override
        public String toString() {
            return demultiplexer + " " + kind.name().toLowerCase();
        }
    }

    @Parameter
    HandleSet handleSet;

    /** Closed after the test. */
    LeaderFollowersPool pool;

    static Stream<HandleSet> handleSets() {
        return Demultiplexers.available().stream()
                .filter(factory -> factory.mode() == Mode.SYNCHRONOUS && factory.availability().usable())
                .flatMap(factory -> kinds(factory).stream().map(kind -> new HandleSet(factory.name(), kind)));
    }

    private static List<HandleSetKind> kinds(DemultiplexerFactory factory) {
        return factory.handleSetKind() == HandleSetKind.ITERATIVE
                ? List.of(HandleSetKind.ITERATIVE) : List.of(HandleSetKind.CONCURRENT, HandleSetKind.ITERATIVE);
    }

    @BeforeEach
    final void openPool() throws IOException {
        pool = ownPool(handleSet.openPool(PromotionOrder.LIFO));
    }

    /** {@return threads that join the pool, until the end of the test at most} */
    final Members join(int count) {
        return own(new Members(pool, count));
    }

    final Pipe pipe() throws IOException {
        return own(Pipe.open());
    }

    static void send(Pipe pipe) throws IOException {
        pipe.sink().send(ByteBuffer.wrap(new byte[1]));
    }

    /** Returns when the byte can be received: on Windows, where a pipe is a connection, that takes a moment. */
    static void sendAndAwaitArrival(Pipe pipe) throws IOException {
        send(pipe);
        if (!CalledSystem.isWindows()) {
            return;
        }
        // Not another set of the mechanism under test: wfmo takes a socket away from the one that had it before.
        try (SynchronousEventDemultiplexer witness = Demultiplexers.openSynchronous("select");
                ReadyHandles ready = witness.newReadyHandles(1)) {
            witness.register(pipe.source().handle(), EventType.READ, null);
            assertEquals(1, witness.awaitReady(ready, EventLoopContract.LIMIT.toNanos()));
        }
    }

    /** {@return a handler of the readable end that drains it, registered} */
    final Recorder register(String name, Pipe pipe) throws IOException {
        Recorder reader = reader(name, pipe);
        pool.registerHandler(reader, EventType.READ);
        return reader;
    }

    static Recorder reader(String name, Pipe pipe) {
        return new Recorder(name, pipe.source().handle()).drain(pipe.source()::receive);
    }
}
