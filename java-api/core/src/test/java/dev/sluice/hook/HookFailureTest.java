package dev.sluice.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.sluice.calls.Errno;
import dev.sluice.handle.SystemCallException;
import dev.sluice.testing.Depth;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.event.EventRecordingLogger;
import org.slf4j.event.Level;
import org.slf4j.event.SubstituteLoggingEvent;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.SubstituteLogger;

/** How failures of hooks are logged. */
@Tag(Depth.IN_QUICK)
class HookFailureTest {

    private final Queue<SubstituteLoggingEvent> events = new ArrayDeque<>();
    private final Logger log = new EventRecordingLogger(new SubstituteLogger("log", events, false), events);

    private SubstituteLoggingEvent logged(Throwable cause) {
        HookFailure.log(log, "handler", "subject", cause);
        return events.remove();
    }

    /** A peer that resets one connection after the other must not fill the disk. */
    @Test
    void systemCallFailureIsLoggedInOneLine() {
        SystemCallException cause = new SystemCallException("recv", "tcp 127.0.0.1:7 (fd 8)",
                -Errno.ECONNRESET.number());
        SubstituteLoggingEvent line = logged(cause);
        assertEquals(Level.WARN, line.getLevel());
        assertNull(line.getThrowable());
        assertEquals("handler failed on subject: " + cause.getMessage(),
                MessageFormatter.arrayFormat(line.getMessage(), line.getArgumentArray()).getMessage());
        SubstituteLoggingEvent where = events.remove();
        assertEquals(Level.DEBUG, where.getLevel());
        assertSame(cause, where.getThrowable());
    }

    @Test
    void unknownBitsAreNumbers() {
        HookFailure.log(log, "handler", null, new IllegalArgumentException("of a timer"));
        assertEquals("handler failed", events.remove().getMessage());
    }

    @Test
    void unexpectedExceptionsAreLoggedWithStackTrace() {
        RuntimeException mistake = new IllegalArgumentException("of a hook");
        SubstituteLoggingEvent warning = logged(mistake);
        assertEquals(Level.WARN, warning.getLevel());
        assertSame(mistake, warning.getThrowable());
        Error error = new AssertionError("of a hook");
        SubstituteLoggingEvent grave = logged(error);
        assertEquals(Level.ERROR, grave.getLevel());
        assertSame(error, grave.getThrowable());
    }
}
