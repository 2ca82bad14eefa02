package dev.sluice.leaderfollowers;

import static dev.sluice.eventloop.Misuse.assertMessage;
import static dev.sluice.eventloop.Misuse.assertRefused;
import static dev.sluice.eventloop.Misuse.assertThrown;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Pipe;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Registration;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a pool refuses. */
class MisuseTest extends PoolContract {

    @Test
    void interestNeedsItsHook() throws Exception {
        join(1);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Registration registration = pool.register(pipe().sink(), Interest.WRITE, new EventHandler() {
            @Override
            public void handleInput(Registration unused) {
                EventLoopContract.noteFailure(new AssertionError("not readable"));
            }

            @Override
            public void handleFailure(Registration unused, Throwable cause) {
                failure.set(cause);
            }

            @Override
            public String toString() {
                return "echo";
            }
        });
        OtherThread.await(() -> failure.get() != null);
        assertMessage("interest WRITE, but echo does not override handleOutput", "override it or remove WRITE",
                failure.get());
        assertFalse(registration.isOpen());
    }

    @Test
    void aHandleHasOneRegistration() throws Exception {
        Pipe pipe = pipe();
        register("first", pipe);
        assertRefused("register: " + pipe.source() + " is registered with ", "close that registration",
                () -> register("second", pipe));
        Reactor reactor = own(Reactor.open());
        assertRefused("register: " + pipe.source() + " is registered with ", "close that registration",
                () -> reactor.register(pipe.source(), Interest.READ, reader("third", pipe)));
    }

    @Test
    void aClosedPoolTakesNothing() throws Exception {
        Pipe pipe = pipe();
        pool.close();
        String wayOut = "is closed; open another one";
        assertRefused("register: ", wayOut, () -> register("late", pipe));
        assertRefused("schedule: ", wayOut, () -> pool.schedule(token -> { }, null, Duration.ofDays(1)));
        assertThrown(RejectedExecutionException.class, "execute: ", wayOut, () -> pool.execute(() -> { }));
    }
}
