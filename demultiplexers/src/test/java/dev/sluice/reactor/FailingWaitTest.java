package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.WaitFunctions;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.SystemCallException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A wait fails, permanently or once. */
@EnabledOnOs({OS.LINUX, OS.WINDOWS})
class FailingWaitTest extends ReactorContract {

    private final List<Recorder> handlers = new ArrayList<>();

    private String waitCall() {
        return WaitFunctions.waiting(demultiplexer);
    }

    private Reactor openWith(FaultInjection faults) throws Exception {
        Reactor opened = own(openAnother());
        for (int i = 0; i < 3; i++) {
            Recorder handler = reader("handler " + i, pipe());
            handlers.add(handler);
            handler.register(opened, Interest.READ);
        }
        opened.runOnce(Duration.ZERO);
        assertTrue(faults.calls(waitCall()) > 0, "waits by another call than " + waitCall());
        return opened;
    }

    private void assertEndsByItself(Reactor opened) {
        SystemCallException failure = assertThrows(SystemCallException.class, opened::run);
        assertEquals("ENOMEM", failure.errorName());
        assertFalse(opened.isOpen());
        assertThrows(IllegalStateException.class, () -> opened.runOnce(Duration.ZERO));
        opened.close();
    }

    @Test
    void permanentFailureEndsTheLoopAndClosesAllHandlers() throws Exception {
        // Windows may still write to it.
        assumeFalse(demultiplexer.startsWith("afd"), "the memory of polls whose packets cannot be had is lost");
        try (FaultInjection faults = FaultInjection.install()) {
            Reactor opened = openWith(faults);
            faults.failEach(waitCall(), Errno.ENOMEM);
            assertEndsByItself(opened);
        }
        for (Recorder handler : handlers) {
            assertEquals(List.of("close READ"), handler.calls());
        }
    }

    /** A call takes a little of the heap before it gets to the system. Others have all of it, and give it back. */
    @Test
    void isTriedAgainWhenThereWasNoMemoryForIt() throws Exception {
        try (FaultInjection faults = FaultInjection.install()) {
            Reactor opened = openWith(faults);
            Pipe pipe = readablePipe();
            Recorder reader = reader("reader", pipe).onInput(opened::stop);
            reader.register(opened, Interest.READ);
            Recorder timer = new Recorder("timer");
            opened.schedule(timer, null, Duration.ZERO);
            for (int n = 1; n <= 3; n++) {
                faults.throwNth(waitCall(), n, new OutOfMemoryError("thrown by the test"));
            }
            opened.run();
            assertTrue(faults.calls(waitCall()) > 3);
            assertEquals(List.of("input"), reader.calls());
            assertEquals(1, timer.count("timeout"));
            assertTrue(opened.isOpen());
        }
    }

    /** A failure of the first removal must not keep the other handlers from being called. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void failedRemovalsDoNotPreventHandleClose() throws Exception {
        try (FaultInjection faults = FaultInjection.install()) {
            Reactor opened = openWith(faults);
            faults.failEach(waitCall(), Errno.ENOMEM);
            faults.failEach("epoll_ctl", Errno.ENOMEM);
            assertEndsByItself(opened);
        }
        for (Recorder handler : handlers) {
            assertEquals(1, handler.count("close"), () -> handler.calls().toString());
        }
    }
}
