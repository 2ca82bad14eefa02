package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.Throw;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.Pipe;
import dev.sluice.reactor.Connection;
import dev.sluice.reactor.Recorder;
import dev.sluice.reactor.SkippedHandler;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A registration ends once, and never while its hook runs. */
@Tag(Depth.IN_QUICK)
class EndTest extends PoolContract {

    @Test
    void failingHookEndsTheRegistration() throws Exception {
        Pipe pipe = pipe();
        Exception failure = new IOException("on purpose");
        Recorder reader = register("reader", pipe).onInput(() -> {
            throw failure;
        });
        Members members = join(2);
        send(pipe);
        OtherThread.await(() -> reader.called("close"));
        assertEquals(List.of("input", "failure", "close READ"), reader.calls());
        assertSame(failure, reader.failures().get(0));
        assertEquals(0, members.failures().size());
    }

    @ParameterizedTest
    @EnumSource
    void whateverIsThrownCostsItsHandlerAndNoThread(Throw what) throws Exception {
        Pipe pipe = pipe();
        Recorder reader = register("reader", pipe).onInput(what::run).onFailure(what::run).onClose(what::run);
        Pipe other = pipe();
        Recorder witness = register("witness", other);
        Members members = join(2);
        send(pipe);
        OtherThread.await(() -> reader.called("close"));
        for (int i = 1; i <= 3; i++) {
            int expected = i;
            send(other);
            OtherThread.await(() -> witness.received() == expected);
        }
        assertSame(what.thrown().getClass(), reader.failures().get(0).getClass());
        assertEquals(0, members.failures().size());
    }

    @Test
    void removedByItsHook() throws Exception {
        Pipe pipe = pipe();
        Recorder reader = reader("reader", pipe);
        reader.onInput(() -> {
            reader.registration().close();
            assertFalse(reader.called("close"));
        });
        reader.register(pool, Interest.READ);
        join(2);
        send(pipe);
        OtherThread.await(() -> reader.called("close"));
        assertEquals(List.of("input", "close READ"), reader.calls());
        assertEquals(List.of(), reader.failures());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void hookThatEndsItsRegistrationAndThrowsGetsFailureAndClose(boolean closes) throws Exception {
        Exception failure = new IOException("thrown by the test");
        Pipe pipe = pipe();
        Recorder reader = reader("reader", pipe);
        reader.onInput(() -> {
            if (closes) {
                pipe.source().close();
            } else {
                reader.registration().close();
            }
            throw failure;
        });
        reader.register(pool, Interest.READ);
        Members members = join(2);
        send(pipe);
        OtherThread.await(() -> reader.called("close"));
        assertEquals(List.of("input", "failure", "close READ"), reader.calls());
        assertEquals(List.of(failure), reader.failures());
        assertEquals(0, members.failures().size());
    }

    @Test
    void hookThatThrowsAfterTheHandleIsClosedGetsFailureAndClose() throws Exception {
        Exception failure = new IOException("thrown by the test");
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Pipe pipe = pipe();
        Recorder reader = register("reader", pipe).onInput(() -> {
            entered.countDown();
            OtherThread.await(go);
            throw failure;
        });
        join(2);
        send(pipe);
        OtherThread.await(entered);
        OtherThread.run(pipe.source()::close);
        assertEquals(List.of("input"), reader.calls());
        go.countDown();
        OtherThread.await(() -> reader.called("close"));
        assertEquals(List.of("input", "failure", "close READ"), reader.calls());
        assertEquals(List.of(failure), reader.failures());
    }

    @Test
    void anyNumberOfHandlersMayComeAndGoWhileAHookRuns() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Pipe pipe = pipe();
        Recorder slow = register("slow", pipe).onInput(() -> {
            begun.countDown();
            OtherThread.await(end);
        });
        join(2);
        send(pipe);
        OtherThread.await(begun);
        slow.registration().close();
        AtomicInteger closes = new AtomicInteger();
        for (int i = 0; i < SkippedHandler.MANY; i++) {
            SkippedHandler skipped = new SkippedHandler(slow.handle(), closes);
            skipped.register(pool, Interest.READ);
            skipped.registration().close();
        }
        assertEquals(0, closes.get());
        end.countDown();
        OtherThread.await(() -> closes.get() == SkippedHandler.MANY);
        close(pool);
        assertEquals(List.of("input", "close READ"), slow.calls());
        assertEquals(SkippedHandler.MANY, closes.get());
    }

    @Test
    void inputIsNotDispatchedAfterTheOutputHookHasRemovedTheHandler() throws Exception {
        Connection connection = own(Connection.unix());
        Recorder both = new Recorder("both", connection.near().handle()).drain(connection.near()::receive);
        both.onOutput(() -> both.registration().close());
        inputAndOutputAtOnce(connection, both);
    }

    @Test
    void inputIsNotDispatchedAfterTheOutputHookHasClosedTheHandle() throws Exception {
        Connection connection = own(Connection.unix());
        Recorder both = new Recorder("both", connection.near().handle()).onOutput(connection.near()::close);
        inputAndOutputAtOnce(connection, both);
    }

    private void inputAndOutputAtOnce(Connection connection, Recorder both) throws Exception {
        connection.send("x");
        both.register(pool, Interest.READ_WRITE);
        assertTrue(pool.join(Duration.ZERO));
        assertEquals(List.of("output", "close READ|WRITE"), both.calls());
    }

    @Test
    void removedByAnotherThread() throws Exception {
        Pipe pipe = pipe();
        Recorder reader = register("reader", pipe);
        join(2);
        reader.registration().close();
        reader.registration().close();
        assertEquals(List.of("close READ"), reader.calls());
    }

    @Test
    void handleIsClosedWhileItsHookRuns() throws Exception {
        Pipe pipe = pipe();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Recorder reader = register("reader", pipe).onInput(() -> {
            entered.countDown();
            OtherThread.await(go);
        });
        join(2);
        send(pipe);
        OtherThread.await(entered);
        OtherThread.run(pipe.source()::close);
        assertFalse(reader.called("close"));
        go.countDown();
        OtherThread.await(() -> reader.called("close"));
        assertEquals(List.of("input", "close READ"), reader.calls());
        assertThrows(HandleClosedException.class, () -> reader.register(pool, Interest.READ));
    }

    @Test
    void idleHandleIsClosed() throws Exception {
        Pipe pipe = pipe();
        Recorder reader = register("reader", pipe);
        join(2);
        pipe.source().close();
        assertEquals(List.of("close READ"), reader.calls());
    }

    @Test
    void handleIsRegisteredAnewWhileTheHookOfItsOldRegistrationRuns() throws Exception {
        Pipe pipe = pipe();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Recorder first = register("first", pipe).onInput(() -> {
            entered.countDown();
            OtherThread.await(go);
        });
        Recorder second = reader("second", pipe);
        Recorder third = reader("third", pipe).onInput(() -> assertTrue(second.called("close")));
        join(4);
        send(pipe);
        OtherThread.await(entered);
        first.registration().close();
        second.register(pool, Interest.READ);
        second.registration().close();
        third.register(pool, Interest.READ);
        assertThrows(IllegalStateException.class, () -> first.register(pool, Interest.READ));
        send(pipe);
        assertEquals(List.of("input"), first.calls());
        go.countDown();
        OtherThread.await(() -> third.called("input") && pool.threads(ThreadRole.PROCESSING).isEmpty());
        assertEquals(List.of("input", "close READ"), first.calls());
        assertEquals(List.of("close READ"), second.calls());
        assertEquals(List.of(), third.failures());
    }

    @Test
    void handleIsRegisteredAnewInItsCloseHook() throws Exception {
        Pipe pipe = pipe();
        Recorder second = reader("second", pipe);
        Recorder first = register("first", pipe).onClose(() -> second.register(pool, Interest.READ));
        join(2);
        first.registration().close();
        send(pipe);
        OtherThread.await(() -> second.received() == 1);
        assertEquals(List.of("close READ"), first.calls());
    }

    @Test
    void eventsAreAddedAndChanged() throws Exception {
        Pipe pipe = pipe();
        Recorder reader = reader("reader", pipe);
        reader.register(pool, Interest.NONE);
        join(2);
        send(pipe);
        reader.registration().interest(Interest.READ);
        OtherThread.await(() -> reader.received() == 1);
        reader.registration().interest(Interest.NONE);
        send(pipe);
        reader.registration().interest(Interest.READ);
        OtherThread.await(() -> reader.received() == 2);
        Recorder other = reader("other", pipe);
        assertThrows(IllegalStateException.class, () -> other.register(pool, Interest.READ));
    }
}
