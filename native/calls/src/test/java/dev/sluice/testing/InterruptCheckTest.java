package dev.sluice.testing;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ServiceLoader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.Extension;

@Tag(Depth.IN_QUICK)
class InterruptCheckTest {

    @Test
    void testThatLeavesItsThreadInterruptedFails() {
        InterruptCheck.end("innocent");
        Thread.currentThread().interrupt();
        AssertionError failure = assertThrows(AssertionError.class, () -> InterruptCheck.end("culprit"));
        assertTrue(failure.getMessage().endsWith("interrupted: culprit"), failure::getMessage);
        assertFalse(Thread.interrupted());
    }

    @Test
    void interruptBetweenTwoTestsIsCleared() {
        assertFalse(InterruptCheck.begin("innocent"));
        Thread.currentThread().interrupt();
        assertTrue(InterruptCheck.begin("innocent"));
        assertFalse(Thread.interrupted());
    }

    @Test
    void unitTestPlatformFindsIt() {
        assertTrue(ServiceLoader.load(Extension.class).stream().anyMatch(each -> each.type() == InterruptCheck.class));
        assertTrue(Boolean.getBoolean("junit.jupiter.extensions.autodetection.enabled"));
    }
}
