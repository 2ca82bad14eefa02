package dev.sluice.samples.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Patience;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class CpuTimeTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @Test
    void isOfAllThatTheMachineDoesButWait() {
        assertEquals((1 + 2 + 4 + 64 + 128 + 256) * SECOND, CpuTime.machine("""
                cpu  100 200 400 800 1600 6400 12800 25600 51200 102400
                cpu0 7 7 7 7 7 7 7 7 7 7
                """));
        assertEquals(7 * SECOND, CpuTime.machine("cpu  100 200 400 800"), "as it was in old systems");
        assertFalse(new CpuTime(CpuTime.machine(""), 1, 1).isOfMachine());
    }

    @Test
    void attributesTheRestToOthers() {
        assertEquals(40, new CpuTime(100, 50, 30).others(10));
        assertEquals(0, new CpuTime(100, 70, 30).others(40), "the ticks are not exact");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void growsWithWhatIsDone() throws Exception {
        CpuTime before = CpuTime.now();
        assertTrue(before.isOfMachine());
        Patience.until("all of them have grown", () -> {
            CpuTime used = CpuTime.now().minus(before);
            return used.machine() > 0 && used.process() > 0 && used.thread() > 0;
        });
    }
}
