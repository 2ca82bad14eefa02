package dev.sluice.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.sluice.testing.Depth;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Detects hooks that have not returned in time, with made-up times. */
@Tag(Depth.IN_QUICK)
class ThreadStackTest {

    private static final long LIMIT = 10;
    private static final long IN_LOOP = -1;

    private final ThreadStack stack = new ThreadStack();

    private String stalled(long now) {
        ThreadStack.Frame frame = stack.stalled(LIMIT, now);
        return frame == null ? null : frame.hook;
    }

    @Test
    void stalledHookIsReportedOnce() {
        assertNull(stalled(1000));
        stack.push(0, "hook", "handler", "handle", 1000);
        assertNull(stalled(1009));
        ThreadStack.Frame frame = stack.stalled(LIMIT, 1010);
        assertEquals("hook of handler on handle", TracedHook.call(frame.hook, frame.handler, frame.handle));
        assertEquals(1000, frame.began);
        assertNull(stalled(2000));
        assertEquals("hook", stack.pop(3000).hook);
        assertNull(stalled(4000));
        stack.push(1, "another", "handler", "handle", 4000);
        assertEquals("another", stalled(4010));
    }

    @Test
    void waitingInTheLoopIsNoStall() {
        stack.push(IN_LOOP, null, null, null, 0);
        assertNull(stalled(1000));
        stack.push(0, "outer", null, null, 1000);
        stack.push(IN_LOOP, null, null, null, 1005);
        assertNull(stalled(2000));
        stack.push(1, "inner", null, null, 2000);
        assertEquals("inner", stalled(2010));
        stack.pop(2020);
        assertNull(stalled(3000));
        stack.pop(3000);
        assertNull(stalled(3009));
        assertEquals("outer", stalled(3010), "it is its own time that counts from here on");
    }

    @Test
    void borrowsCanBeNested() {
        for (int i = 0; i < 100; i++) {
            stack.push(i, "hook " + i, null, null, i);
        }
        for (int i = 99; i >= 0; i--) {
            assertNotNull(stack.stalled(LIMIT, 1000 + 20L * (99 - i)));
            assertEquals("hook " + i, stack.pop(1000 + 20L * (99 - i)).hook);
        }
        assertNull(stalled(1_000_000));
    }
}
