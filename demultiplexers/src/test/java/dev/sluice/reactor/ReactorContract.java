package dev.sluice.reactor;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.HandleSet;
import dev.sluice.handle.Handle;
import dev.sluice.handle.Pipe;
import dev.sluice.timer.TimerQueue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a reactor promises, whatever it waits with: each subclass is a part of it, and runs on the
 * {@linkplain HandleSet#ofReactors handle sets} that a reactor can tell apart.
 */
@ParameterizedClass(name = "{0}, {1}")
@MethodSource("dev.sluice.reactor.ReactorContract#demultiplexers")
public abstract class ReactorContract extends EventLoopContract {

    /** As which the handle set is used. */
    @Parameter(1)
    protected HandleSetKind kind;
    /** Closed after the test. */
    protected Reactor reactor;

    /** For subclasses. */
    protected ReactorContract() {
    }

    static Stream<Arguments> demultiplexers(TestInfo test) {
        return HandleSet.ofReactors(test).map(set -> Arguments.of(set.demultiplexer(), set.kind()));
    }

    /** {@return another reactor like the one under test, which the test closes} */
    protected final Reactor openAnother() throws IOException {
        return Reactors.on(OpenedDemultiplexers.openSynchronous(demultiplexer), TimerQueue.heap(), kind);
    }

    /** {@return whether many threads may run the loop} */
    protected final boolean isShared() {
        return kind == HandleSetKind.CONCURRENT;
    }

    @Override
    protected final EventLoop loop() {
        return reactor;
    }

    @BeforeEach
    final void openReactor() throws IOException {
        reactor = own(openAnother());
    }

    /** Skips the test if the set takes no more handles than {@code WaitForMultipleObjects} waits for, less its own. */
    protected final void assumeTakesManyHandles() {
        assumeFalse(demultiplexer.equals("wfmo"), "takes 63 handles");
    }

    protected final Pipe pipe() throws IOException {
        return own(Pipe.open());
    }

    /** {@return a pipe that has a byte to read} */
    protected final Pipe readablePipe() throws IOException {
        Pipe pipe = pipe();
        send(pipe);
        return pipe;
    }

    protected static void send(Pipe pipe) throws IOException {
        pipe.send(ByteBuffer.wrap(new byte[1]));
    }

    /** {@return a handler of the readable end that drains it} */
    protected static Recorder reader(String name, Pipe pipe) {
        return new Recorder(name, pipe.source()).drain(pipe::receive);
    }

    protected static Recorder reader(String name, Connection connection) {
        return new Recorder(name, connection.near().handle()).drain(connection.near()::receive);
    }

    protected static Recorder recorder(String name, Handle handle) {
        return new Recorder(name, handle);
    }
}
