package dev.sluice.reactor;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.sluice.demultiplexer.DemultiplexerFactory.Mode;
import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.demultiplexer.HandleSetKind;
import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.handle.Handle;
import dev.sluice.handle.Pipe;
import dev.sluice.timer.TimerHeap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a reactor promises, whatever it waits with: each subclass is a part of it, and is run for every synchronous
 * demultiplexer that works here, for a concurrent one both as such and as an iterative one.
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

    static Stream<String> names() {
        return usable(Mode.SYNCHRONOUS);
    }

    static Stream<Arguments> demultiplexers() {
        return names().flatMap(name -> Stream.of(HandleSetKind.values())
                .filter(kind -> kind == HandleSetKind.ITERATIVE || isConcurrent(name))
                .map(kind -> Arguments.of(name, kind)));
    }

    private static boolean isConcurrent(String name) {
        try (SynchronousEventDemultiplexer opened = Demultiplexers.openSynchronous(name)) {
            return opened.handleSetKind() == HandleSetKind.CONCURRENT;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return another reactor like the one under test, which the test closes} */
    protected final Reactor openAnother() throws IOException {
        return new Reactor(Demultiplexers.openSynchronous(demultiplexer), new TimerHeap(), kind);
    }

    /** {@return whether many threads may run the loop} */
    protected final boolean isShared() {
        return kind == HandleSetKind.CONCURRENT;
    }

    /** Skips the test of what only a loop thread has. */
    protected final void assumeLoopThread() {
        assumeFalse(isShared(), "there is no loop thread");
    }

    @Override
    protected final EventLoop loop() {
        return reactor;
    }

    @BeforeEach
    final void openReactor() throws IOException {
        reactor = own(openAnother());
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
        pipe.sink().send(ByteBuffer.wrap(new byte[1]));
    }

    /** {@return a handler of the readable end that drains it} */
    protected static Recorder reader(String name, Pipe pipe) {
        return new Recorder(name, pipe.source().handle()).drain(pipe.source()::receive);
    }

    protected static Recorder reader(String name, Connection connection) {
        return new Recorder(name, connection.near().handle()).drain(connection.near()::receive);
    }

    protected static Recorder recorder(String name, Handle handle) {
        return new Recorder(name, handle);
    }
}
