package dev.sluice.demultiplexer.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.sun.management.ThreadMXBean;
import dev.sluice.handle.LeakChecked;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The pipes for splicing, whose descriptors the check for leaks counts. */
@EnabledOnOs(OS.LINUX)
class PipePoolTest extends LeakChecked {

    /** The maximum number of spare pipes. */
    private static final int MANY = 64;

    private PipePool pool;

    @BeforeEach
    void open() {
        pool = own(new PipePool(() -> true));
    }

    private List<PipePool.Pipe> take(int count) {
        List<PipePool.Pipe> pipes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            PipePool.Pipe pipe = pool.take();
            assertNotNull(pipe);
            pipes.add(pipe);
        }
        return pipes;
    }

    /** A transmission that has ended for lack of memory must not need any. */
    @Test
    void pipesAreReleasedWithoutMemory() {
        List<PipePool.Pipe> pipes = take(MANY);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < MANY; i++) {
            pool.release(pipes.get(i), true);
        }
        assertEquals(0, threads.getCurrentThreadAllocatedBytes() - before);
        assertEquals(new HashSet<>(pipes), new HashSet<>(take(MANY)));
    }

    @Test
    void pipeThatIsNotEmptyIsNotUsedAgain() {
        List<PipePool.Pipe> pipes = take(MANY + 1);
        pipes.forEach(pipe -> pool.release(pipe, pipe != pipes.get(0)));
        assertEquals(new HashSet<>(pipes.subList(1, MANY + 1)), new HashSet<>(take(MANY)));
    }
}
