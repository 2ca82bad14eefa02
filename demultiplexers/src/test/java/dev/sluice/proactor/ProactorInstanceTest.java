package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.spi.SingletonLoop;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.SystemCallException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The proactor of the process is not closed here, so this test does not check for leaks. */
class ProactorInstanceTest {

    @Test
    void thereIsOneForTheProcessAndItWorks() throws Exception {
        Proactor instance = Proactor.instance();
        assertSame(instance, OtherThread.start(Proactor::instance).result());
        CompletionRecorder handler = new CompletionRecorder("posted");
        instance.post(handler, "token", 7);
        assertEquals(1, instance.runOnce(ProactorContract.LIMIT));
        assertEquals(7, handler.last("token").result());
        assertEquals(0, instance.runOnce(Duration.ZERO));
    }

    /** The one of this process may be open already. */
    @Test
    @EnabledOnOs({OS.LINUX, OS.WINDOWS})
    void failureToOpenIsThrownAndTheNextCallOpensAgain() throws Exception {
        SingletonLoop<Proactor> another = new SingletonLoop<>(Proactor.builder());
        try (FaultInjection faults = FaultInjection.install()) {
            faults.failEach(CalledSystem.isWindows() ? "CreateIoCompletionPort" : "eventfd", Errno.EMFILE);
            UncheckedIOException refused = assertThrows(UncheckedIOException.class, another::get);
            assertEquals("EMFILE", ((SystemCallException) refused.getCause()).errorName());
            faults.heal();
            try (Proactor proactor = another.get()) {
                assertSame(proactor, another.get());
                assertEquals(0, proactor.runOnce(Duration.ZERO));
            }
        }
    }

    @Test
    void onceItIsClosedThereIsAnother() throws Exception {
        SingletonLoop<Proactor> another = new SingletonLoop<>(Proactor.builder());
        Proactor closed = another.get();
        closed.close();
        try (Proactor proactor = another.get()) {
            assertNotSame(closed, proactor);
            assertSame(proactor, another.get());
            assertEquals(0, proactor.runOnce(Duration.ZERO));
        }
    }
}
