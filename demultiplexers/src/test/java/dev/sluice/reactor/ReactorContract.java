package dev.sluice.reactor;

import dev.sluice.demultiplexer.DemultiplexerFactory.Mode;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.handle.Handle;
import dev.sluice.handle.Pipe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a reactor promises, whatever it waits with: each subclass is a part of it, and is run for every synchronous
 * demultiplexer that works here.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.sluice.reactor.ReactorContract#demultiplexers")
public abstract class ReactorContract extends EventLoopContract {

    /** Closed after the test. */
    protected Reactor reactor;

    /** For subclasses. */
    protected ReactorContract() {
    }

    static Stream<String> demultiplexers() {
        return usable(Mode.SYNCHRONOUS);
    }

    @Override
    protected final EventLoop loop() {
        return reactor;
    }

    @BeforeEach
    final void openReactor() throws IOException {
        reactor = own(Reactor.open(demultiplexer));
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
