package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.handle.Handle;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.Pipe;
import dev.sluice.timer.TimerQueue;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Registrations and changes that the system refuses, or that meet the close of their handle by another thread. */
@Tag(CalledSystem.NOT_WINDOWS)
class RefusedRegistrationTest extends LeakChecked {

    private final IOException refusal = new IOException("thrown by the test");
    /** The name of the call that the system refuses. */
    private String refused = "none";
    private Runnable afterRegistration = () -> { };
    private Reactor reactor;
    private Handle handle;
    private Recorder handler;

    @BeforeEach
    void openReactor() throws IOException {
        SynchronousEventDemultiplexer real = OpenedDemultiplexers.openSynchronous("poll");
        reactor = own(Reactors.on(decorated(SynchronousEventDemultiplexer.class, real), TimerQueue.heap()));
        handle = own(Pipe.open()).source();
        handler = new Recorder("handler", handle);
    }

    private <T> T decorated(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> {
                    if (method.getName().equals(refused)) {
                        throw refusal;
                    }
                    Object result;
                    try {
                        result = method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    if (result instanceof Membership registration) {
                        afterRegistration.run();
                        return decorated(Membership.class, registration);
                    }
                    return result;
                }));
    }

    @Test
    void refusedRegistrationLeavesNothingBehind() throws Exception {
        refused = "register";
        assertSame(refusal, assertThrows(IOException.class, () -> handler.register(reactor, Interest.READ)));
        refused = "none";
        handler.register(reactor, Interest.READ).close();
        assertEquals(List.of("close READ"), handler.calls());
    }

    @Test
    void closeDuringRegistrationEndsIt() throws Exception {
        afterRegistration = handle::close;
        handler.register(reactor, Interest.READ);
        reactor.runOnce(Duration.ZERO);
        assertEquals(List.of("close READ"), handler.calls());
    }

    @Test
    void refusedChangeEndsRegistration() throws Exception {
        handler.register(reactor, Interest.READ);
        refused = "setEvents";
        handler.registration().interest(Interest.NONE);
        assertEquals(List.of(refusal), handler.failures());
        assertEquals(List.of("failure", "close READ"), handler.calls());
    }
}
