package dev.sluice.reactor;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.LeakChecked;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A message that comes in and is sent back costs no garbage. */
@EnabledOnOs(OS.LINUX)
class ReactorAllocationTest extends LeakChecked {

    private static final int MESSAGES = 200_000;

    private Reactor reactor;

    /**
     * Sends back what it receives. By the calls themselves: whether the address of a {@code ByteBuffer} costs an object
     * is up to the compiler under ffm ({@code MemorySegment.ofBuffer}), and has nothing to do with the reactor.
     */
    private static final class Echo implements EventHandler {

        private final Posix posix = Bindings.current().posix();
        private final Handle handle;
        private final MemoryBlock memory;
        private int messages;

        Echo(Handle handle, MemoryBlock memory) {
            this.handle = handle;
            this.memory = memory;
        }

        @Override
        public Handle handle() {
            return handle;
        }

        @Override
        public void handleInput(Handle ready) throws IOException {
            int fd = (int) handle.acquire();
            try {
                long received = posix.recv(fd, memory.address(), memory.buffer().capacity(), 0);
                while (received > 0) {
                    messages++;
                    posix.send(fd, memory.address(), received, SocketConstants.MSG_NOSIGNAL);
                    received = posix.recv(fd, memory.address(), memory.buffer().capacity(), 0);
                }
            } finally {
                handle.release();
            }
        }
    }

    @Test
    void echoAllocatesNothing() throws Exception {
        assumeTrue(Bindings.current().name().equals("ffm"),
                "JNA makes an object of each direct buffer's address, which nobody here can change");
        reactor = own(Reactor.open("epoll"));
        Connection connection = own(Connection.unix());
        Echo near = new Echo(connection.near().handle(), memory());
        reactor.registerHandler(near, EventType.READ);
        reactor.registerHandler(new Echo(connection.far().handle(), memory()), EventType.READ);
        connection.send("a message");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        double perMessage = Double.MAX_VALUE;
        // How soon the compiler has its last word is its own affair, so the measurement is repeated until it has.
        long end = System.nanoTime() + ReactorContract.LIMIT.toNanos();
        while (perMessage >= 1 && System.nanoTime() - end < 0) {
            long before = threads.getThreadAllocatedBytes(self);
            exchange(near, MESSAGES);
            perMessage = (double) (threads.getThreadAllocatedBytes(self) - before) / MESSAGES;
        }
        double measured = perMessage;
        assertTrue(measured < 1, () -> measured + " bytes per message");
    }

    private MemoryBlock memory() {
        return own(Bindings.current().memory().allocate(64));
    }

    private void exchange(Echo near, int messages) throws IOException {
        int target = near.messages + messages / 2;
        while (near.messages < target) {
            reactor.handleEvents();
        }
    }
}
