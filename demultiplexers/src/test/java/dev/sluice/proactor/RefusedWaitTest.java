package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.ScarceMemory;
import dev.sluice.reactor.Connection;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The system refuses the call that waits, or memory, when the proactor is to be closed. */
@Tag("one-binding")
@EnabledOnOs(OS.LINUX)
class RefusedWaitTest extends ProactorContract {

    private String waitCall() {
        return switch (demultiplexer) {
            case "io_uring" -> "io_uring_enter";
            case "epoll", "epoll-one-shot" -> "epoll_wait";
            case "poll", "select" -> demultiplexer;
            default -> "kevent";
        };
    }

    private Proactor openWith(FaultInjection faults, Connection connection) throws Exception {
        Proactor opened = own(Proactor.open(demultiplexer));
        AsyncStream stream = new AsyncStream(opened, connection.near(), recorder);
        stream.receive(ByteBuffer.allocateDirect(8), "receive");
        opened.timeout(recorder, "time-out", Duration.ofDays(1));
        opened.handleEvents(Duration.ZERO);
        assertTrue(faults.calls(waitCall()) > 0, "waits by another call than " + waitCall());
        return opened;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theCloseEndsAllInSpiteOfOneRefusal(int number) throws Exception {
        try (FaultInjection faults = FaultInjection.install()) {
            Proactor opened = openWith(faults, tcp());
            faults.failNth(waitCall(), number, Errno.ENOMEM);
            opened.close();
        }
        assertEquals(2, recorder.over());
        assertTrue(recorder.last("receive").isCancelled() && recorder.last("time-out").isCancelled());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, Integer.MAX_VALUE})
    void theCloseEndsAllForWantOfMemory(int times) throws Exception {
        AtomicInteger refusals = new AtomicInteger();
        Binding plentiful = Bindings.use(ScarceMemory.of(Bindings.current(), () -> refusals.getAndDecrement() > 0));
        try (FaultInjection faults = FaultInjection.install()) {
            OtherThread.run(() -> {
                Proactor opened = openWith(faults, tcp());
                refusals.set(times);
                opened.close();
            });
        } finally {
            Bindings.use(plentiful);
        }
        assertEquals(2, recorder.over());
        assertTrue(recorder.last("receive").isCancelled() && recorder.last("time-out").isCancelled());
    }

    @Test
    void aCloseNeedsNoMemory() throws Exception {
        AtomicBoolean empty = new AtomicBoolean();
        Binding plentiful = Bindings.use(ScarceMemory.of(Bindings.current(), empty::get));
        try {
            Proactor opened = own(Proactor.open(demultiplexer));
            empty.set(true);
            opened.close();
            assertThrows(IllegalStateException.class, () -> opened.handleEvents(Duration.ZERO));
        } finally {
            Bindings.use(plentiful);
        }
    }
}
