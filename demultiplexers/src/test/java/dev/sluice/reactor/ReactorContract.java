package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.DemultiplexerFactory;
import dev.sluice.demultiplexer.DemultiplexerFactory.Mode;
import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.handle.Handle;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.Pipe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a reactor promises, whatever it waits with: each subclass is a part of it, and is run for every synchronous
 * demultiplexer that works here. Handlers drain their handles, so that they serve every trigger.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.sluice.reactor.ReactorContract#demultiplexers")
public abstract class ReactorContract extends LeakChecked {

    /** How long a test waits for what must happen: long enough for the busiest machine. */
    public static final Duration LIMIT = Duration.ofSeconds(30);

    /** The name of the demultiplexer. */
    @Parameter
    protected String demultiplexer;

    /** Closed after the test. */
    protected Reactor reactor;

    /** For subclasses. */
    protected ReactorContract() {
    }

    static Stream<String> demultiplexers() {
        return Demultiplexers.available().stream()
                .filter(factory -> factory.mode() == Mode.SYNCHRONOUS && factory.availability().usable())
                .map(DemultiplexerFactory::name);
    }

    @BeforeEach
    final void openReactor() throws IOException {
        own(new OwnThreads());
        reactor = own(Reactor.open(demultiplexer));
    }

    /** Runs the loop in this thread until what the test waits for has happened in it. */
    protected final void runUntil(BooleanSupplier happened) throws IOException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!happened.getAsBoolean()) {
            long left = end - System.nanoTime();
            assertTrue(left > 0, "it does not happen");
            reactor.handleEvents(Duration.ofNanos(left));
        }
    }

    /** Dispatches in this thread all there is; what other threads cause has to be there already. */
    protected final void runUntilIdle() throws IOException {
        int idle = 0;
        while (idle < 3) {
            idle = reactor.handleEvents(Duration.ZERO) == 0 ? idle + 1 : 0;
        }
    }

    /** Runs the loop in a thread of its own until the end of the test. */
    protected final LoopThread runInBackground() {
        return own(new LoopThread(reactor));
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
