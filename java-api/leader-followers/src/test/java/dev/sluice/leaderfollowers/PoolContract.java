package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.HandleSet;
import dev.sluice.handle.Pipe;
import dev.sluice.reactor.Recorder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a pool promises, whatever it waits with: each subclass is a part of it, and runs on the
 * {@linkplain HandleSet#ofPools handle sets} that a pool can tell apart.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.sluice.leaderfollowers.PoolContract#handleSets")
abstract class PoolContract extends PoolTest {

    @Parameter
    HandleSet handleSet;

    /** Closed after the test. */
    LeaderFollowersPool pool;

    static Stream<HandleSet> handleSets(TestInfo test) {
        return HandleSet.ofPools(test);
    }

    /** {@return a pool on the handle set} */
    final LeaderFollowersPool openPool(PromotionOrder order) throws IOException {
        return LeaderFollowersPool.open(handleSet.demultiplexer(), order, handleSet.isConcurrent());
    }

    /** {@return another source of events like the one under test} */
    final HandleSetSource openSource() throws IOException {
        return openSource(handleSet);
    }

    static HandleSetSource openSource(HandleSet set) throws IOException {
        return new HandleSetSource(OpenedDemultiplexers.openSynchronous(set.demultiplexer()), set.kind());
    }

    @BeforeEach
    final void openPool() throws IOException {
        pool = ownPool(openPool(PromotionOrder.LIFO));
    }

    /** {@return threads that join the pool, until the end of the test at most} */
    final Members join(int count) {
        return own(new Members(pool, count));
    }

    final Pipe pipe() throws IOException {
        return own(Pipe.open());
    }

    static void send(Pipe pipe) throws IOException {
        pipe.send(ByteBuffer.wrap(new byte[1]));
    }

    /** Returns when the byte can be received: on Windows, where a pipe is a connection, that takes a moment. */
    static void sendAndAwaitArrival(Pipe pipe) throws IOException {
        send(pipe);
        if (!CalledSystem.isWindows()) {
            return;
        }
        // Not another set of the mechanism under test: wfmo takes a socket away from the one that had it before.
        try (SynchronousEventDemultiplexer witness = OpenedDemultiplexers.openSynchronous("select");
                ReadyBatch ready = witness.newReadyBatch(1)) {
            witness.register(pipe.source(), EventType.READ, null);
            assertEquals(1, witness.awaitReady(ready, EventLoopContract.LIMIT.toNanos()));
        }
    }

    /** {@return a handler of the readable end that drains it, registered} */
    final Recorder register(String name, Pipe pipe) throws IOException {
        Recorder reader = reader(name, pipe);
        reader.register(pool, Interest.READ);
        return reader;
    }

    static Recorder reader(String name, Pipe pipe) {
        return new Recorder(name, pipe.source()).drain(pipe::receive);
    }
}
