package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.reactor.Connection;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end: each operation comes back once, and each thread that closes gets through. */
@Tag(Depth.IN_QUICK)
class ProactorCloseTest extends ProactorContract {

    private static final int STREAMS = 10;
    private static final int PER_STREAM = 6;

    /** More than any socket holds. */
    private static final byte[] MUCH = new byte[4 * 1024 * 1024];

    private final List<AsyncStream> streams = new ArrayList<>();

    private void startOperations() throws IOException {
        for (int i = 0; i < STREAMS; i++) {
            Connection connection = unix();
            AsyncStream stream = async(connection.near());
            streams.add(stream);
            stream.receive(ByteBuffer.allocate(8), "receive " + i);
            stream.receiveContinuously("receive on " + i);
            stream.receive(ByteBuffer.allocateDirect(8), "receive last " + i);
            stream.send(ByteBuffer.wrap(MUCH), "send " + i);
            stream.send(heap("never"), "send more " + i);
            stream.poll(Interest.READ, "poll " + i);
        }
    }

    private void startOthers() throws IOException {
        InetSocketAddress anyPort = new InetSocketAddress("127.0.0.1", 0);
        SocketAcceptor one = own(SocketAcceptor.open(anyPort));
        SocketAcceptor two = own(SocketAcceptor.open(anyPort));
        new AsyncAcceptor(proactor, one, recorder).accept("accept");
        new AsyncAcceptor(proactor, two, recorder).acceptContinuously("accept all");
        new AsyncDatagram(proactor, own(SocketDatagram.open(anyPort)), recorder)
                .receive(ByteBuffer.allocate(8), null, "datagram");
        proactor.schedule(recorder, "timer", Duration.ofDays(1));
    }

    private void assertEnded(int operations) throws IOException {
        assertEquals(operations, recorder.results().size());
        for (CompletionRecorder.Result each : recorder.results()) {
            assertTrue(each.isCancelled() && each.last(), each::toString);
            assertEquals(each, recorder.last(each.token()));
        }
        assertEquals(List.of(), recorder.failures());
        assertEquals(List.of(), recorder.timeouts());
        assertRefuses();
    }

    private void assertRefuses() throws IOException {
        for (AsyncStream stream : streams) {
            assertTrue(stream.handle().isOpen(), "streams belong to their owner");
            assertThrows(IllegalStateException.class, () -> stream.receive(ByteBuffer.allocate(1), null));
            assertThrows(IllegalStateException.class, () -> stream.send(heap("x"), null));
            assertThrows(IllegalStateException.class, () -> stream.close("late"));
            stream.cancel();
            stream.cancel(1L << 24);
            stream.close();
        }
        assertThrows(IllegalStateException.class, () -> proactor.post(recorder, null, 0));
        assertThrows(IllegalStateException.class,
                () -> proactor.openFile(recorder, null, Path.of("/dev/null"), StandardOpenOption.READ));
        assertThrows(IllegalStateException.class, () -> proactor.schedule(recorder, null, Duration.ZERO));
        assertThrows(IllegalStateException.class, () -> proactor.runOnce(Duration.ZERO));
        assertThrows(IllegalStateException.class, proactor::run);
        assertThrows(RejectedExecutionException.class, () -> proactor.execute(() -> { }));
        Connection late = unix();
        assertThrows(IOException.class, () -> async(late.near()));
        proactor.wakeUp();
        proactor.stop();
        proactor.close();
    }

    @Test
    void beforeAnyThreadHasRunTheLoop() throws Exception {
        startOperations();
        startOthers();
        proactor.close();
        assertEnded(STREAMS * PER_STREAM + 3);
    }

    @Test
    void byTheLoopThreadOutsideOfTheLoop() throws Exception {
        startOperations();
        startOthers();
        runUntilIdle();
        assertEquals(0, recorder.results().size());
        proactor.close();
        assertEnded(STREAMS * PER_STREAM + 3);
    }

    @Test
    void byAnotherThreadWhileItRuns() throws Exception {
        startOperations();
        startOthers();
        LoopRunner loop = runInBackground();
        proactor.close();
        loop.join();
        recorder.results().forEach(each -> assertEquals(loop.thread(), each.thread()));
        assertEnded(STREAMS * PER_STREAM + 3);
    }

    @Test
    void byAHook() throws Exception {
        startOperations();
        CompletionRecorder closing = recorder("closing");
        AtomicInteger before = new AtomicInteger(-1);
        closing.onTimeout(nothing -> {
            proactor.close();
            proactor.close();
            before.set(recorder.results().size());
        });
        proactor.schedule(closing, null, Duration.ofMillis(5));
        proactor.run();
        assertEquals(0, before.get(), "it waits until the hook has returned");
        assertEnded(STREAMS * PER_STREAM);
    }

    @Test
    void byAnyThreadAfterTheLoopThreadHasEnded() throws Exception {
        startOperations();
        startOthers();
        LoopRunner loop = new LoopRunner(proactor);
        loop.close();
        proactor.close();
        assertEnded(STREAMS * PER_STREAM + 3);
    }

    @Test
    void byAnotherThreadWhileTheLoopThreadIsElsewhereWithNothingInFlight() throws Exception {
        Connection connection = unix();
        async(connection.near()).receive(ByteBuffer.allocate(1), "receive");
        connection.send("x");
        result("receive");
        runUntil(() -> proactor.demultiplexer.inFlight() == 0);
        OtherThread.run(proactor::close);
        assertRefuses();
    }

    @Test
    void bySeveralThreadsAtOnce() throws Exception {
        startOperations();
        runInBackground();
        List<OtherThread<Void>> closers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            closers.add(OtherThread.start(() -> {
                proactor.close();
                return null;
            }));
        }
        for (OtherThread<Void> closer : closers) {
            closer.result();
        }
        assertEnded(STREAMS * PER_STREAM);
    }

    @Test
    void aHookThatStartsTheNextOperationIsRefused() throws Exception {
        Connection connection = unix();
        AsyncStream[] stream = new AsyncStream[1];
        List<Throwable> refused = new ArrayList<>();
        stream[0] = new AsyncStream(proactor, connection.near(), new CompletionHandler() {
            @Override
            public void handleCompletion(Completion completion) {
                stream[0].receive(ByteBuffer.allocate(1), null);
            }

            @Override
            public void handleFailure(Handle handle, Throwable cause) {
                refused.add(cause);
            }
        });
        stream[0].receive(ByteBuffer.allocate(1), null);
        stream[0].receiveContinuously(null);
        runUntilIdle();
        proactor.close();
        assertEquals(2, refused.size());
        refused.forEach(each -> assertTrue(each instanceof IllegalStateException, each::toString));
    }

    @Test
    void handlesThatAreClosedTellTheirOperationsOnce() throws Exception {
        startOperations();
        runUntilIdle();
        streams.forEach(AsyncStream::close);
        streams.forEach(AsyncStream::close);
        streams.forEach(stream -> assertFalse(stream.handle().isOpen()));
        runUntil(() -> recorder.over() == STREAMS * PER_STREAM);
        runUntilIdle();
        assertEquals(STREAMS * PER_STREAM, recorder.results().size());
        recorder.results().forEach(each -> assertTrue(each.isCancelled(), each::toString));
        streams.clear();
        proactor.close();
        assertEquals(STREAMS * PER_STREAM, recorder.results().size());
    }

    @Test
    void whatIsStartedOnAClosedHandleIsCancelled() throws Exception {
        AsyncStream stream = async(unix().near());
        stream.close();
        stream.receive(ByteBuffer.allocate(1), "receive");
        stream.send(heap("x"), "send");
        stream.close("close");
        assertTrue(result("receive").isCancelled());
        assertTrue(result("send").isCancelled());
        result("close");
        assertEquals(3, recorder.results().size());
    }

    @Test
    void theAsynchronousCloseIsTheLast() throws Exception {
        startOperations();
        runUntilIdle();
        for (int i = 0; i < STREAMS; i++) {
            streams.get(i).close("close " + i);
        }
        runUntil(() -> recorder.over() == STREAMS * (PER_STREAM + 1));
        for (int i = 0; i < STREAMS; i++) {
            Handle handle = streams.get(i).handle();
            List<CompletionRecorder.Result> own = recorder.results().stream()
                    .filter(each -> each.handle() == handle).toList();
            assertEquals("close " + i, own.get(PER_STREAM).token());
            assertTrue(own.get(PER_STREAM).isSuccess());
            own.subList(0, PER_STREAM).forEach(each -> assertTrue(each.isCancelled(), each::toString));
            assertFalse(handle.isOpen());
        }
    }

    private ClosingHook startReceives(int receives) throws IOException {
        ClosingHook hook = new ClosingHook();
        recorder.on(OperationType.RECEIVE, completion -> hook.run());
        for (int i = 0; i < receives; i++) {
            async(unix().near()).receive(ByteBuffer.allocate(1), i);
        }
        return hook;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void withHooksThatRunTheLoopInTheMeantime(int receives) throws Exception {
        ClosingHook hook = startReceives(receives);
        OtherThread.run(proactor::close);
        hook.assertWaitedFor();
        assertEnded(receives);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void withHooksThatRunTheLoopInTheThreadThatLeavesIt(int receives) throws Exception {
        ClosingHook hook = startReceives(receives);
        LoopRunner loop = runInBackground();
        OtherThread.run(proactor::close);
        loop.join();
        hook.assertWaitedFor();
        assertEnded(receives);
    }

    @Test
    void withATaskThatRunsTheLoopInTheMeantime() throws Exception {
        ClosingHook hook = new ClosingHook();
        startOperations();
        proactor.execute(hook::run);
        OtherThread.run(proactor::close);
        hook.assertWaitedFor();
        assertEnded(STREAMS * PER_STREAM);
    }
}
