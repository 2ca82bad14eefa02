package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.eventloop.HandleSet;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.WaitFunctions;
import dev.sluice.eventloop.spi.SingletonLoop;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.SystemCallException;
import dev.sluice.timer.TimerQueue;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The reactor of the process is not closed here, so this test does not check for leaks. */
class ReactorInstanceTest {

    @Test
    void thereIsOneForTheProcessAndItWorks() throws Exception {
        Reactor instance = Reactor.instance();
        assertSame(instance, OtherThread.start(Reactor::instance).result());
        try (Pipe pipe = Pipe.open()) {
            Recorder handler = new Recorder("reader", pipe.source()).drain(pipe::receive);
            handler.register(instance, Interest.READ);
            pipe.send(ByteBuffer.wrap(new byte[1]));
            assertEquals(1, instance.runOnce(ReactorContract.LIMIT));
            handler.registration().close();
            assertEquals(1, handler.count("close"));
        }
        assertEquals(0, instance.runOnce(Duration.ZERO));
    }

    /** The one of this process may be open already. */
    @Test
    @EnabledOnOs({OS.LINUX, OS.WINDOWS})
    void failureToOpenIsThrownAndTheNextCallOpensAgain() throws Exception {
        SingletonLoop<Reactor> another = new SingletonLoop<>(Reactor.builder());
        try (FaultInjection faults = FaultInjection.install()) {
            faults.failEach(WaitFunctions.opening(), Errno.EMFILE);
            UncheckedIOException refused = assertThrows(UncheckedIOException.class, another::get);
            assertEquals("EMFILE", ((SystemCallException) refused.getCause()).errorName());
            faults.heal();
            try (Reactor reactor = another.get()) {
                assertSame(reactor, another.get());
                assertEquals(0, reactor.runOnce(Duration.ZERO));
            }
        }
    }

    @Test
    void onceItIsClosedThereIsAnother() throws Exception {
        SingletonLoop<Reactor> another = new SingletonLoop<>(Reactor.builder());
        Reactor closed = another.get();
        closed.close();
        try (Reactor reactor = another.get()) {
            assertNotSame(closed, reactor);
            assertSame(reactor, another.get());
            assertEquals(0, reactor.runOnce(Duration.ZERO));
        }
    }

    @Test
    void anUnknownDemultiplexerIsRefusedWithTheListOfTheRightOnes() {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> Reactor.open("epol"));
        for (HandleSet set : HandleSet.usable(Mode.SYNCHRONOUS)) {
            assertTrue(refused.getMessage().contains(set.demultiplexer()), refused::getMessage);
        }
    }

    @Test
    void aReactorNeedsItsParts() {
        assertNotNull(Reactor.instance().demultiplexer());
        assertThrows(NullPointerException.class, () -> Reactors.on(null, TimerQueue.heap()));
        assertThrows(NullPointerException.class, () -> Reactors.on(Reactor.instance().demultiplexer, null));
    }
}
