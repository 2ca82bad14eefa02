package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.calls.NiceValue;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SystemCallException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Java's priorities become the system's. */
@EnabledOnOs(OS.LINUX)
class SystemPriorityTest extends LeakChecked {

    @ParameterizedTest
    @ValueSource(ints = {Thread.MIN_PRIORITY, 2, Thread.NORM_PRIORITY, 8, Thread.MAX_PRIORITY})
    void systemSchedulesByThePriorityOfJavaWhereTheProcessMay(int priority) throws Exception {
        int others = NiceValue.ofCurrentThread();
        int wanted = Thread.NORM_PRIORITY - priority;
        OtherThread.run(() -> {
            Thread.currentThread().setPriority(priority);
            try {
                SystemPriority.adopt();
                assertEquals(wanted, NiceValue.ofCurrentThread());
            } catch (SystemCallException e) {
                assertEquals("EACCES", e.errorName());
                assertTrue(wanted < others, () -> "refused to go from " + others + " to " + wanted);
                assertEquals(others, NiceValue.ofCurrentThread());
            }
        });
        assertEquals(others, NiceValue.ofCurrentThread());
    }

    @Test
    void refusalSaysWhatIsMissing() throws Exception {
        int before = NiceValue.ofCurrentThread();
        try (FaultInjection faults = FaultInjection.install()) {
            faults.failEach("setpriority", Errno.EACCES);
            OtherThread.run(() -> {
                Thread.currentThread().setName("hasty");
                Thread.currentThread().setPriority(Thread.MAX_PRIORITY);
                SystemCallException refused = assertThrows(SystemCallException.class, SystemPriority::adopt);
                assertTrue(refused.getMessage().startsWith("setpriority nice -5 for thread hasty, which requires"
                        + " CAP_SYS_NICE or an RLIMIT_NICE of 25: EACCES"), refused::getMessage);
                assertEquals(before, NiceValue.ofCurrentThread());
            });
        }
    }
}
