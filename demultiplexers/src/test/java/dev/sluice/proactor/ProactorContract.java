package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Intercepted;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.HandleSet;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Connection;
import dev.sluice.timer.TimerQueue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a proactor promises, whatever executes its operations: each subclass is a part of it, and runs on the
 * {@linkplain HandleSet#ofProactors demultiplexers} that a proactor can tell apart.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.sluice.proactor.ProactorContract#demultiplexers")
public abstract class ProactorContract extends EventLoopContract {

    /** Closed after the test. */
    protected Proactor proactor;
    /** Of the streams that {@link #async} makes. */
    protected CompletionRecorder recorder;

    /** For subclasses. */
    protected ProactorContract() {
    }

    static Stream<String> demultiplexers(TestInfo test) {
        return HandleSet.ofProactors(test).map(HandleSet::demultiplexer);
    }

    @Override
    protected final EventLoop loop() {
        return proactor;
    }

    @BeforeEach
    final void openProactor() throws IOException {
        recorder = recorder("recorder");
        proactor = own(Proactor.open(demultiplexer));
    }

    protected final CompletionRecorder recorder(String name) {
        return own(new CompletionRecorder(name));
    }

    protected final Connection tcp() throws IOException {
        return own(Connection.tcp());
    }

    /** {@return Unix domain sockets, or where the system need not have these, TCP} */
    protected final Connection unix() throws IOException {
        return own(CalledSystem.isWindows() ? Connection.tcp() : Connection.unix());
    }

    /** {@return whether several threads may run the loop} */
    protected final boolean isShared() {
        return proactor.demultiplexer.isMultiThreaded();
    }

    /** {@return the stream, for operations whose completions the recorder gets} */
    protected final AsyncStream async(SocketStream stream) throws IOException {
        return new AsyncStream(proactor, stream, recorder);
    }

    /** Runs the loop until the operation that was started with the token is over. */
    protected final CompletionRecorder.Result result(Object token) throws IOException {
        runUntil(() -> recorder.isOver(token));
        return recorder.last(token);
    }

    /** Runs the loop until the future is completed. */
    protected final <T> T result(CompletableFuture<T> future) throws IOException {
        runUntil(future::isDone);
        return future.join();
    }

    /** {@return a proactor that does something before it shuts its demultiplexer down} */
    final Proactor shutDownAfter(Runnable action) throws IOException {
        AsynchronousEventDemultiplexer real = OpenedDemultiplexers.openAsynchronous(demultiplexer);
        return own(Proactors.on(Intercepted.before(AsynchronousEventDemultiplexer.class, real, "shutdown", action::run),
                TimerQueue.heap()));
    }

    protected static ByteBuffer heap(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    protected static ByteBuffer direct(String text) {
        return direct(text.getBytes(StandardCharsets.UTF_8));
    }

    protected static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    /** Asserts what is between the start of a buffer and its position. */
    protected static void assertReceived(String expected, ByteBuffer buffer) {
        assertEquals(expected, text(buffer.duplicate().flip()));
    }

    /** {@return what is between its position and its limit} */
    protected static String text(ByteBuffer buffer) {
        return StandardCharsets.UTF_8.decode(buffer.duplicate()).toString();
    }

    /** {@return what comes out at the far end} */
    protected static String receive(Connection connection, int count) throws IOException {
        ByteBuffer room = ByteBuffer.allocate(count);
        connection.far().receiveFully(room, LIMIT);
        return text(room.flip());
    }
}
