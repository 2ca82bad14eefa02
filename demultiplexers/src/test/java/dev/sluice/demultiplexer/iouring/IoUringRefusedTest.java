package dev.sluice.demultiplexer.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.ScarceMemory;
import dev.sluice.handle.SystemCallException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** io_uring is often forbidden, which must be an answer and not an accident. */
@EnabledOnOs(OS.LINUX)
class IoUringRefusedTest extends LeakChecked {

    private static Mechanism ioUring() {
        return Mechanism.available().stream()
                .filter(factory -> factory.name().equals(IoUringDemultiplexer.NAME))
                .findFirst().orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"EPERM, kernel.io_uring_disabled", "ENOSYS, without it", "ENOMEM, ulimit -l"})
    void theReasonSaysWhatToDo(Errno error, String advice) {
        try (FaultInjection faults = FaultInjection.install()) {
            faults.failEach("io_uring_setup", error);
            Mechanism.Availability availability = ioUring().availability();
            assertFalse(availability.usable());
            assertTrue(availability.reason().startsWith("io_uring_setup"), availability.reason());
            assertTrue(availability.reason().contains(error.name()), availability.reason());
            assertTrue(availability.reason().contains(advice), availability.reason());
        }
    }

    @Test
    void theNextBestTakesItsPlace() {
        try (FaultInjection faults = FaultInjection.install()) {
            faults.failEach("io_uring_setup", Errno.EPERM);
            assertNotEquals(IoUringDemultiplexer.NAME, Mechanism.choose("auto", Mode.ASYNCHRONOUS).name());
            assertThrows(IllegalArgumentException.class,
                    () -> Mechanism.choose(IoUringDemultiplexer.NAME, Mode.ASYNCHRONOUS));
        }
    }

    @Test
    void aKernelThatKnowsNoSetUpFlagGetsAPlainRing() throws Exception {
        try (FaultInjection faults = FaultInjection.install()) {
            faults.failNth("io_uring_setup", 1, Errno.EINVAL);
            faults.failNth("io_uring_setup", 2, Errno.EINVAL);
            IoUringDemultiplexer plain = own(new IoUringDemultiplexer());
            plain.wakeUp();
            assertEquals(3, faults.calls("io_uring_setup"));
        }
    }

    @ParameterizedTest
    @CsvSource({"mmap, 1", "mmap, 2", "mmap, 3", "io_uring_register, 1", "io_uring_register, 2", "eventfd, 1"})
    void whatWasOpenedBeforeAFailureIsClosed(String call, int number) {
        try (FaultInjection faults = FaultInjection.install()) {
            faults.failNth(call, number, Errno.ENOMEM);
            SystemCallException failure = assertThrows(SystemCallException.class, IoUringDemultiplexer::new);
            assertEquals(call, failure.call());
        }
    }

    @Test
    void whatWasOpenedBeforeTheMemoryRanOutIsClosed() throws Exception {
        Binding real = Bindings.current();
        AtomicInteger left = new AtomicInteger();
        int failing = 0;
        do {
            left.set(++failing);
            Bindings.use(ScarceMemory.of(real, () -> left.decrementAndGet() == 0));
            try (IoUringDemultiplexer opened = new IoUringDemultiplexer()) {
                assertTrue(left.get() > 0, () -> opened + " was opened although memory ran out");
            } catch (OutOfMemoryError e) {
                assertEquals(0, left.get());
            } finally {
                Bindings.use(real);
            }
        } while (left.get() <= 0);
        assertTrue(failing > 1, "opening it takes no memory");
    }
}
