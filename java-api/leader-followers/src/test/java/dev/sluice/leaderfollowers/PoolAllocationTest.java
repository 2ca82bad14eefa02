package dev.sluice.leaderfollowers;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Handle;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.reactor.Connection;
import dev.sluice.reactor.OneHandleHandler;
import dev.sluice.reactor.Registration;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A message costs no garbage. Where threads hand a leadership over, that is so unless two of them come for the lock at
 * once, which no test can rule out: then the JDK's lock makes an object for the one that waits.
 */
@Tag(Depth.OPTIMIZED)
@EnabledOnOs(OS.LINUX)
class PoolAllocationTest extends PoolTest {

    private static final int MESSAGES = 50_000;

    /** Sends back what it receives, by the calls themselves: see the Reactor's test of the same. */
    private static final class Echo extends OneHandleHandler {

        private final Posix posix = Bindings.current().posix();
        private final Handle handle;
        private final MemoryBlock memory;
        private final boolean concurrent;
        private volatile int messages;

        Echo(Handle handle, MemoryBlock memory, boolean concurrent) {
            this.handle = handle;
            this.memory = memory;
            this.concurrent = concurrent;
        }

        @Override
        public boolean isConcurrent() {
            // Here even a stream may be: there is one message, so one thread at a time finds anything.
            return concurrent;
        }

        @Override
        public Handle handle() {
            return handle;
        }

        @Override
        public void handleInput(Registration registration) throws IOException {
            int fd = (int) Descriptors.of(handle).acquire();
            try {
                long received = posix.recv(fd, memory.address(), memory.buffer().capacity(), 0);
                if (received > 0) {
                    messages++;
                    posix.send(fd, memory.address(), received, SocketConstants.MSG_NOSIGNAL);
                }
            } finally {
                Descriptors.of(handle).release();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"epoll, false, 1, false", "epoll-one-shot, true, 3, false",
        "epoll, false, 1, true", "epoll-one-shot, true, 3, true"})
    void echoAllocatesNothing(String demultiplexer, boolean concurrentSet, int threads, boolean concurrentHandles)
            throws Exception {
        assumeTrue(Bindings.current().name().equals("ffm"),
                "JNA allocates an object for each direct buffer's address");
        LeaderFollowersPool pool = ownPool(LeaderFollowersPool.open(demultiplexer, PromotionOrder.LIFO, concurrentSet));
        Connection connection = own(Connection.unix());
        Echo near = new Echo(connection.near().handle(), memory(), concurrentHandles);
        near.register(pool, Interest.READ);
        new Echo(connection.far().handle(), memory(), concurrentHandles).register(pool, Interest.READ);
        Members members = own(new Members(pool, threads));
        long[] ids = members.threads().stream().mapToLong(Thread::getId).toArray();
        connection.send("a message");
        double perMessage = Double.MAX_VALUE;
        // How soon the compiler has its last word is its own affair, so the measurement is repeated until it has.
        long end = System.nanoTime() + EventLoopContract.LIMIT.toNanos();
        while (perMessage >= 1 && System.nanoTime() - end < 0) {
            long before = allocated(ids);
            int target = near.messages + MESSAGES / 2;
            OtherThread.await(() -> near.messages >= target);
            perMessage = (double) (allocated(ids) - before) / MESSAGES;
        }
        double measured = perMessage;
        assertTrue(measured < 1, () -> measured + " bytes per message");
    }

    private static long allocated(long[] ids) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return LongStream.of(threads.getThreadAllocatedBytes(ids)).sum();
    }

    private MemoryBlock memory() {
        return own(Bindings.current().memory().allocate(64));
    }
}
