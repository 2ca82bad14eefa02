package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.handle.WindowsEvent.Reset;
import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Events and processes of Windows, without a demultiplexer. */
@Tag(Depth.IN_QUICK)
@Tag(Depth.CORE)
class WindowsEventTest extends LeakChecked {

    @Test
    @Tag("windows")
    void oneThatIsResetAutomaticallyIsTakenOnce() throws Exception {
        WindowsEvent event = own(WindowsEvent.open(Reset.AUTOMATIC));
        assertFalse(event.take());
        event.set();
        event.set();
        assertTrue(event.take());
        assertFalse(event.take());
    }

    @Test
    @Tag("windows")
    void oneThatIsResetByHandStaysSet() throws Exception {
        WindowsEvent event = own(WindowsEvent.open(Reset.MANUAL));
        assertFalse(event.take());
        event.set();
        assertTrue(event.take());
        assertTrue(event.take());
        event.reset();
        event.reset();
        assertFalse(event.take());
    }

    @ParameterizedTest
    @EnumSource
    @Tag("windows")
    void resetBeforeAnybodyLooks(Reset reset) throws Exception {
        WindowsEvent event = own(WindowsEvent.open(reset));
        event.set();
        event.reset();
        assertFalse(event.take());
    }

    @Test
    @Tag("windows")
    void useAfterTheClose() throws Exception {
        WindowsEvent event = own(WindowsEvent.open(Reset.MANUAL));
        event.close();
        event.close();
        assertThrows(HandleClosedException.class, event::set);
        assertThrows(HandleClosedException.class, event::reset);
        assertThrows(HandleClosedException.class, event::take);
    }

    @Test
    @Tag("windows")
    void failures() throws Exception {
        try (FaultInjection faults = FaultInjection.install()) {
            faults.failNth("CreateEventW", 1, Errno.ENOMEM).failNth("SetEvent", 1, Errno.EBADF)
                    .failNth("ResetEvent", 1, Errno.EBADF).failNth("WaitForMultipleObjects", 1, Errno.EBADF);
            assertThrows(SystemCallException.class, () -> WindowsEvent.open(Reset.MANUAL));
            WindowsEvent event = own(WindowsEvent.open(Reset.MANUAL));
            SystemCallException e = assertThrows(SystemCallException.class, event::set);
            assertTrue(e.getMessage().startsWith("SetEvent " + event + ": "), e.getMessage());
            assertThrows(SystemCallException.class, event::reset);
            assertThrows(SystemCallException.class, event::take);
        }
    }

    @Test
    @Tag("windows")
    void aProcessThatThereIsNot() throws Exception {
        SystemCallException e = assertThrows(SystemCallException.class, () -> WindowsProcess.open(0x7fff_fff0));
        assertEquals("OpenProcess process 2147483632: ESRCH (no such process)", e.getMessage());
        try (FaultInjection faults = FaultInjection.install()) {
            faults.failNth("OpenProcess", 1, Errno.EACCES);
            e = assertThrows(SystemCallException.class, () -> WindowsProcess.open(4));
            assertTrue(e.getMessage().startsWith("OpenProcess process 4: "), e.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1L << 32})
    @Tag("windows")
    void whatIsNoNumberOfAProcess(long pid) {
        assertThrows(IllegalArgumentException.class, () -> WindowsProcess.open(pid));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void otherSystemsHaveNone() {
        String message = assertThrows(UnsupportedOperationException.class,
                () -> WindowsEvent.open(Reset.MANUAL)).getMessage();
        assertEquals("an event object needs Windows, and this is Linux; use a pipe", message);
        message = assertThrows(UnsupportedOperationException.class, () -> WindowsProcess.open(1)).getMessage();
        assertEquals("a process that is a handle needs Windows, and this is Linux; use ProcessHandle.onExit", message);
    }
}
